import { expect, test } from "@jest/globals";
import { functions } from "../../functions/index.ts";
import { buildId, InputError, parseId, subnets, userData } from "../../index.ts";
import type { Values } from "../../provider/core/value.ts";
import { engine } from "../../provider/engine/engine.ts";

const wrong = (path: (string | number)[], problem: string) => new InputError([{ path, problem }]);

const id = "krn:kbs:In-Bangalore-1:42:9f6d:volume:0a-1b";
const parts = {
  service: "kbs",
  region: "In-Bangalore-1",
  account: "42",
  customer: "9f6d",
  type: "volume",
  uuid: "0a-1b",
};

test("parsing an id returns the parts that it was built from", () => {
  expect(parseId(id)).toEqual(parts);
  expect(buildId(parts)).toBe(id);
});

test("the compact layout of an id names no customer", () => {
  expect(parseId("krn:cloud:network:In-Bangalore-1:42:subnet/0a-1b")).toEqual({
    service: "network",
    region: "In-Bangalore-1",
    account: "42",
    type: "subnet",
    uuid: "0a-1b",
  });
});

test.each([
  "0a-1b",
  "krn:kbs:r:1:2:volume",
  "krn:kbs:r:1:2:volume:",
  "krn:a:b:c:d:x/",
  "arn:a:b:c:d:e:f",
  "",
])("%j is not a full id", (text) => {
  const problem = "must be of the form krn:<service>:<region>:<account>:<customer>:<type>:<uuid>";
  expect(() => parseId(text)).toThrow(wrong(["id"], problem));
});

test("the error names a part of an id that is empty or contains a colon", () => {
  const problem = "must not be empty and must not contain a colon";
  expect(() => buildId({ ...parts, customer: "", uuid: "a:b" })).toThrow(
    new InputError([
      { path: ["customer"], problem },
      { path: ["uuid"], problem },
    ]),
  );
});

test("ranges within a range follow each other, each aligned to its prefix length", () => {
  expect(subnets("10.0.0.0/16", 24, 24, 20, 24)).toEqual([
    "10.0.0.0/24",
    "10.0.1.0/24",
    "10.0.16.0/20",
    "10.0.32.0/24",
  ]);
  expect(subnets("10.1.2.3/16", 16)).toEqual(["10.1.0.0/16"]);
  expect(subnets("0.0.0.0/0", 1, 1)).toEqual(["0.0.0.0/1", "128.0.0.0/1"]);
  expect(subnets("2001:DB8::/32", 48, 64, 128)).toEqual([
    "2001:db8::/48",
    "2001:db8:1::/64",
    "2001:db8:1:1::/128",
  ]);
  expect(subnets("10.0.0.0/16")).toEqual([]);
});

test("the error about a range that does not fit or is invalid has its position", () => {
  expect(() => subnets("10.0.0.0/23", 24, 24, 24)).toThrow(
    wrong(["prefixes", 2], "does not fit into 10.0.0.0/23 after the ranges before it"),
  );
  expect(() => subnets("10.0.0.0/16", 24, 8)).toThrow(
    wrong(["prefixes", 1], "must be a whole number from 16 to 32"),
  );
  expect(() => subnets("10.0.0.0/33", 24)).toThrow(wrong(["range"], "must be a CIDR such as 10.0.0.0/16"));
});

test("user data of several parts is one message with each part unchanged", () => {
  const script = "#!/bin/sh\necho „hello“\n";
  const config = `#cloud-config\npackages:\n${"  - nginx\n".repeat(20)}`;
  const message = Buffer.from(userData(script, config), "base64").toString();
  const [head = "", ...found] = message.split(/--part(?:--)?\n/);
  expect(head).toBe('MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary="part"\n\n');
  const read = found.slice(0, 2).map((part) => part.split("\n\n"));
  expect(read.map(([headers]) => headers)).toEqual([
    'Content-Type: text/x-shellscript; charset="utf-8"\nContent-Transfer-Encoding: base64\nContent-Disposition: attachment; filename="part-001"',
    'Content-Type: text/cloud-config; charset="utf-8"\nContent-Transfer-Encoding: base64\nContent-Disposition: attachment; filename="part-002"',
  ]);
  expect(read.map(([, body = ""]) => Buffer.from(body, "base64").toString())).toEqual([script, config]);
  expect(message.split("\n").every((line) => line.length <= 120)).toBe(true);
});

test("the error about a part of an unknown kind has its position", () => {
  expect(() => userData("#!/bin/sh", "echo hello")).toThrow(
    wrong(
      ["parts", 1],
      "must begin with one of #cloud-config-archive, #cloud-config-jsonp, #cloud-config, #cloud-boothook, #include-once, #include, #part-handler, ## template: jinja, #!",
    ),
  );
  expect(() => userData()).toThrow(wrong(["parts"], "must have at least one part"));
});

test("a function checks its arguments and returns the same result in every adapter", () => {
  const call = (name: string, written: Values) => {
    const asked = functions.find((candidate) => candidate.name === name);
    if (asked === undefined) throw new Error(`no function ${name}`);
    return engine.calculate(asked, written);
  };
  expect(call("parse-id", { id })).toEqual(parts);
  expect(call("build-id", parts)).toBe(id);
  expect(call("subnets", { range: "10.0.0.0/16", prefixes: [24] })).toEqual(["10.0.0.0/24"]);
  expect(call("user-data", { parts: ["#!/bin/sh"] })).toBe(userData("#!/bin/sh"));
  expect(() => call("subnets", { range: "x", prefixes: ["a"] })).toThrow(
    new InputError([
      { path: ["range"], problem: "must be a CIDR such as 10.0.0.0/16" },
      { path: ["prefixes", 0], problem: "must be a number" },
    ]),
  );
});
