import { expect, test } from "@jest/globals";
import { stepsOf } from "../../../review/model/apply-log.ts";
import { logOf, recorded } from "../applied/fixture.ts";

const text = recorded("pulumi-done", "log.jsonl");

const stepsIn = (log: string): string[] =>
  stepsOf(logOf(log).events)
    .map(({ action, address, result }) => `${action} ${address.split("::").at(-1)} ${result}`)
    .toSorted();

test("an event log has the steps of objects, without those of the stack and of new providers", () => {
  expect(stepsIn(text)).toEqual([
    ...["create copy done", "create fresh done", "create shape done", "delete logs done", "delete old done"],
    ...["delete shape done", "read found done", "update data done"],
  ]);
  expect(logOf(text)).toMatchObject({ engine: "pulumi", end: "succeeded", problems: [], errors: [] });
  expect(logOf(text).unchanged).toContain("kcloud:index:SshKey::b");
});

test("a step has its seconds, and an update its inputs and changed attributes", () => {
  const update = stepsOf(logOf(text).events).find(({ action }) => action === "update");
  expect(update).toMatchObject({
    ...{ seconds: expect.any(Number), changed: ["sizeGb"] },
    inputs: { name: "data", sizeGb: 8 },
  });
});

test("a failed update has its errors with their objects", () => {
  const { end, errors } = logOf(recorded("pulumi-failed", "log.jsonl"));
  expect(end).toBe("failed");
  expect(errors.map(({ address, text: message }) => [address, message.split("\n")[0]]).toSorted()).toEqual([
    ["kcloud:index:Volume::fresh", 'Creating the volume "fresh" failed'],
    ["kcloud:index:Volume::shape", 'Deleting the volume "shape" failed'],
  ]);
});

test("a killed update has no end, and its steps are open", () => {
  const killed = recorded("pulumi-killed", "log.jsonl");
  expect(logOf(killed).end).toBeUndefined();
  expect(stepsIn(killed)).toEqual(expect.arrayContaining(["create fresh open", "create shape open"]));
});

test("the events of a preview before the update do not count", () => {
  const preview = text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => {
      const event = JSON.parse(line);
      for (const name of ["resourcePreEvent", "resOutputsEvent"])
        if (event[name]) event[name] = { ...event[name], planning: true };
      if (event.summaryEvent) event.summaryEvent = { ...event.summaryEvent, isPreview: true };
      return event;
    });
  const count = preview.length;
  const update = text
    .split("\n")
    .filter((line) => line !== "")
    .map((line, index) => ({ ...JSON.parse(line), sequence: count + index }));
  const both = [...preview, ...update].map((event) => JSON.stringify(event)).join("\n");
  expect(stepsIn(both)).toEqual(stepsIn(text));
  expect(logOf(both)).toMatchObject({ end: "succeeded", problems: [] });
  const only = logOf(
    preview
      .filter(({ diagnosticEvent }) => !diagnosticEvent)
      .map((event) => JSON.stringify(event))
      .join("\n"),
  );
  expect([only.events, only.end]).toEqual([[], undefined]);
});

test("what a refresh found is no step", () => {
  const urn = "urn:pulumi:dev::proj::kcloud:index:Volume::a";
  const event = (name: string, op: string) =>
    JSON.stringify({
      [name]: { metadata: { op, urn, old: { custom: true, id: "1" }, new: { custom: true, id: "1" } } },
    });
  const refresh = [event("resourcePreEvent", "refresh"), event("resOutputsEvent", "update")];
  expect(stepsIn(refresh.join("\n"))).toEqual([]);
  const update = [event("resourcePreEvent", "update"), event("resOutputsEvent", "update")];
  expect(stepsIn([...refresh, ...update].join("\n"))).toEqual(["update a done"]);
});

test("several logs, and one that lacks steps, are problems", () => {
  const lines = text.split("\n").filter((line) => line !== "");
  expect(logOf(`${text}\n${text}`).problems).toEqual(["holds several logs"]);
  const without = (part: string) => lines.filter((line) => !line.includes(part)).join("\n");
  expect(
    logOf(without('"op":"create","urn":"urn:pulumi:dev::proj::kcloud:index:Volume::copy"')).problems,
  ).toEqual(["lacks 1 of 2 steps create"]);
  // The output of `pulumi up --json` leaves out the default provider.
  expect(
    logOf(without('"op":"same","urn":"urn:pulumi:dev::proj::pulumi:providers:kcloud::default"')).problems,
  ).toEqual([]);
  const corrupt = text.replace('"maybeCorrupt":false', '"maybeCorrupt":true');
  expect(logOf(corrupt).problems).toEqual(["says that its result may be incomplete"]);
});

test("warnings have their objects", () => {
  const diagnosticEvent = {
    severity: "warning",
    message: "It remains.\n",
    urn: "urn:pulumi:dev::proj::a:b:C::x",
  };
  expect(logOf(JSON.stringify({ diagnosticEvent })).warnings).toEqual([
    { address: "a:b:C::x", text: "It remains." },
  ]);
});

test("a policy that is violated is an error", () => {
  const event = {
    policyEvent: {
      enforcementLevel: "mandatory",
      policyName: "p",
      message: "no",
      resourceUrn: "urn:pulumi:dev::proj::a:b:C::x",
    },
  };
  expect(logOf(JSON.stringify(event)).errors).toEqual([{ address: "a:b:C::x", text: "policy p: no" }]);
});
