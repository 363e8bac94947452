import { expect, test } from "@jest/globals";
import { readTimes, recordTimes, secondsOf } from "../../rehearse/times.ts";

const terraform = (type: string, action: string, elapsed_seconds: number) =>
  JSON.stringify({
    ...{ "@level": "info", type: "apply_complete" },
    hook: { resource: { addr: "x", resource_type: type }, action, elapsed_seconds },
  });
const pulumi = (event: "resourcePreEvent" | "resOutputsEvent", op: string, timestamp: number) =>
  JSON.stringify({
    timestamp,
    [event]: {
      metadata: { op, urn: "urn:pulumi:dev::proj::kcloud:index:Volume::x", new: { custom: true } },
    },
  });

test("the log of Terraform has the median of each kind and action; other types are left out", () => {
  const log = [
    '{"type":"version"}',
    ...[90, 100, 140].map((seconds) => terraform("kcloud_instance", "create", seconds)),
    ...[4, 5].map((seconds) => terraform("kcloud_security_group", "delete", seconds)),
    terraform("terraform_data", "create", 1),
    '{"type":"apply_comp',
  ].join("\n");
  const times = recordTimes("log", log);
  expect(times).toEqual({
    version: 1,
    steps: {
      "instance create": { seconds: 100, count: 3 },
      "security-group delete": { seconds: 4.5, count: 2 },
    },
  });
  expect(readTimes("times.json", JSON.stringify(times))).toEqual(times);
  expect([secondsOf(times, "instance", "create"), secondsOf(times, "volume", "create")]).toEqual([
    100,
    undefined,
  ]);
});

test("the event log of Pulumi has a start and an end of each step", () => {
  const log = [
    ...[
      pulumi("resourcePreEvent", "create-replacement", 100),
      pulumi("resOutputsEvent", "create-replacement", 107),
    ],
    ...[
      pulumi("resourcePreEvent", "delete-replaced", 107),
      pulumi("resOutputsEvent", "delete-replaced", 110),
    ],
    ...[pulumi("resourcePreEvent", "same", 1), pulumi("resOutputsEvent", "same", 1)],
  ].join("\n");
  expect(recordTimes("log", log).steps).toEqual({
    "volume create": { seconds: 7, count: 1 },
    "volume delete": { seconds: 3, count: 1 },
  });
});

test.each([
  ["a log of no apply", () => recordTimes("log", '{"type":"version"}\n'), "log has no step of an apply"],
  ["a text", () => recordTimes("log", "a\nb\n"), "line 1 is not JSON"],
  ["another version", () => readTimes("t", '{"version":2,"steps":{}}'), "t is no table of times (version: "],
  ["no JSON", () => readTimes("t", "{"), "t is no table of times"],
])("%s is an error", (_, read, message) => {
  expect(read).toThrow(message);
});
