import { expect, test } from "@jest/globals";
import { readApplyState } from "../../../review/read/apply-state.ts";
import { recorded } from "../applied/fixture.ts";

const shown = (scene: string, file: "state.json" | "raw.json" = "state.json") =>
  readApplyState(recorded(scene, file)).objects.map(({ address, id, deposed, isTainted, isDeleted }) =>
    [
      address.split("::").at(-1),
      id === undefined ? "no id" : "",
      deposed === undefined ? "" : "deposed",
      isTainted ? "tainted" : "",
      isDeleted ? "deleted" : "",
    ]
      .filter(Boolean)
      .join(" "),
  );

test("a state has its objects, whether they are tainted, deposed or deleted", () => {
  expect(shown("terraform-tainted")).toEqual(["kcloud_volume.data tainted", "kcloud_vpc.net"]);
  expect(shown("terraform-tainted", "raw.json")).toEqual(shown("terraform-tainted"));
  expect(shown("terraform-deposed")).toEqual([
    "kcloud_access_key.reports",
    "kcloud_access_key.reports deposed",
  ]);
  expect(shown("pulumi-deposed")).toEqual(["default", "net", "reports", "reports deposed"]);
  expect(shown("pulumi-half-replaced")).toEqual([
    "default",
    "a",
    "net",
    "logs",
    "data",
    "old",
    "shape deleted",
  ]);
});

test("pending operations of Pulumi have their objects", () => {
  expect(readApplyState(recorded("pulumi-killed", "state.json")).pending).toEqual(
    expect.arrayContaining([{ address: "kcloud:index:Volume::fresh", operation: "creating" }]),
  );
});

test("a state has its secrets, those of outputs too", () => {
  expect(readApplyState(recorded("terraform-deposed", "state.json")).secrets.size).toBe(2);
  const outputs = {
    a: { sensitive: true, value: { b: ["canary"] } },
    c: { sensitive: false, value: "open" },
  };
  const file = { version: 4, terraform_version: "1.16.0", resources: [], outputs };
  const secretsOf = (json: object) => [...readApplyState(JSON.stringify(json)).secrets];
  expect(secretsOf(file)).toEqual(["canary"]);
  expect(secretsOf({ format_version: "1.0", terraform_version: "1.16.0", values: { outputs } })).toEqual([
    "canary",
  ]);
  const secret = {
    "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270",
    plaintext: '"canary"',
  };
  const row = { urn: "urn:pulumi:dev::proj::a:b:C::x", custom: true, id: "1", outputs: { token: secret } };
  expect(secretsOf({ version: 3, deployment: { resources: [row] } })).toEqual(["canary"]);
});

test("components and objects that were only looked up are left out", () => {
  const rows = [
    { urn: "urn:pulumi:dev::proj::a:b:C::x", custom: false },
    { urn: "urn:pulumi:dev::proj::a:b:C::y", custom: true, external: true, id: "1" },
  ];
  expect(readApplyState(JSON.stringify({ version: 3, deployment: { resources: rows } })).objects).toEqual([]);
});

test.each([
  ["", "is not JSON, or is truncated"],
  ["[]", "is JSON, but not an object"],
  ['{"a":1}', "is neither a state"],
  ['{"encrypted_data":"x"}', "is encrypted"],
  ['{"version":3,"terraform_version":"0.11","resources":[]}', "is a state of version 3"],
])("%j is no state", (text, message) => {
  expect(() => readApplyState(text)).toThrow(message);
});

test("a part that cannot be read is a problem", () => {
  expect(readApplyState('{"version":4,"terraform_version":"1","resources":[1]}').problems).toEqual([
    "resources is not a list of objects",
  ]);
  expect(readApplyState('{"version":3,"deployment":{"resources":{}}}').problems).toEqual([
    "resources is not a list of objects",
  ]);
});
