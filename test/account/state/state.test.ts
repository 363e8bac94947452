import { join } from "node:path";
import { expect, test } from "@jest/globals";
import { readState } from "../../../account/state/state.ts";
import { UnreadableError } from "../../../review/read/read.ts";
import { attributes, read, stack, stateFile } from "./state-file.ts";

test("an empty state has no objects", async () => {
  const empty = { objects: [], gaps: [] };
  expect(await read({ ...stateFile({}), resources: [] })).toMatchObject(empty);
  expect(await read({ format_version: "1.0" })).toMatchObject(empty);
  expect(await read({ version: 3, deployment: { manifest: {} } })).toMatchObject(empty);
});

test.each<[string, object, string]>([
  [
    "of another provider",
    stateFile({ provider: 'provider["evil.example/x/kcloud"]', instances: [{ attributes }] }),
    "belongs to another provider, evil.example/x/kcloud",
  ],
  [
    "of an unknown type",
    stateFile({ type: "kcloud_moon", instances: [{ attributes }] }),
    "has a type that this version does not have",
  ],
  ["without attributes", stateFile({ instances: [{ attributes_flat: {} }] }), "has no attributes"],
  [
    "of a newer version",
    stateFile({ instances: [{ attributes, schema_version: 99 }] }),
    "was written by a newer version",
  ],
  [
    "with a value of another type",
    stateFile({ instances: [{ attributes: { ...attributes, name: 3 } }] }),
    "must be a string",
  ],
  [
    "of an unknown type of a stack",
    stack({ urn: "urn:pulumi:dev::proj::kcloud:index:Moon::a" }),
    "has a type that this version does not have",
  ],
  ["of a newer version in a stack", stack({ outputs: { name: "net", __version: 99 } }), "newer version"],
  [
    "with a pending operation",
    stack(
      {},
      {
        pending_operations: [
          { type: "creating", resource: { urn: "urn:pulumi:dev::proj::kcloud:index:Vpc::b" } },
        ],
      },
    ),
    "kcloud:index:Vpc::b has a pending creating",
  ],
])("an object %s is a gap", async (_, content, reason) => {
  expect((await read(content)).gaps).toEqual([expect.stringContaining(reason)]);
});

test.each<[string, object]>([
  ["resources", { ...stateFile({}), resources: {} }],
  ["instances", stateFile({ instances: { a: attributes } })],
  ["child_modules", { format_version: "1.0", values: { root_module: { child_modules: ["a"] } } }],
  ["resources", { version: 3, deployment: { manifest: {}, resources: {} } }],
])("%s of another form are a gap", async (part, content) => {
  expect((await read(content)).gaps).toEqual([`${part} is not a list of objects`]);
});

test.each<[string, object, string]>([
  ["no resources", { ...stateFile({}), resources: null }, "resources is not a list of objects"],
  ["no instances", stateFile({ instances: null }), "instances is not a list of objects"],
  [
    "no mode",
    stateFile({ mode: undefined, instances: [{ attributes }] }),
    "kcloud_vpc.net is neither an object",
  ],
  [
    "another mode",
    stateFile({ mode: "Managed", instances: [{ attributes }] }),
    "kcloud_vpc.net is neither an object",
  ],
  [
    "a type in capitals",
    stateFile({ type: "KCLOUD_VPC", instances: [{ attributes }] }),
    "KCLOUD_VPC.net is neither",
  ],
  ["no deployment", { version: 3, deployment: null }, "the stack has no manifest"],
  ["a row that is no object", stack({ custom: undefined }), "kcloud:index:Vpc::net is no object"],
])("a damaged state with %s is a gap, not an empty state", async (_, content, reason) => {
  const { objects, gaps } = await read(content);
  expect([objects, gaps]).toEqual([[], [expect.stringContaining(reason)]]);
});

test.each<[string, unknown, string]>([
  ["a text", "hello", "is not JSON, or is truncated"],
  ["no text", "\n", "is empty, as the output of state pull is if the workspace has no state"],
  ["a truncated file", '{"version": 4, "resources": [', "is not JSON, or is truncated"],
  ["a list", [], "is JSON, but not an object"],
  ["an encrypted state", { serial: 1, encrypted_data: "x", meta: {} }, "is encrypted"],
  ["a plan", { format_version: "1.2", planned_values: {}, resource_changes: [] }, "is a plan, not a state"],
  ["a state file of version 3", stateFile({}, 3), "is a state of version 3"],
  ["another format of show", { format_version: "2.0", values: {} }, "has the format version 2.0"],
  ["a stack of version 1", { version: 1, deployment: {} }, "is a stack of version 1"],
  [
    "the schemas of providers",
    { format_version: "1.0", provider_schemas: {} },
    "is neither a state of Terraform",
  ],
  ["other JSON", { name: "x" }, "is neither a state of Terraform"],
])("%s is refused", async (_, content, reason) => {
  await expect(read(content)).rejects.toThrow(UnreadableError);
  await expect(read(content)).rejects.toThrow(reason);
});

test("a missing file is refused", () => {
  expect(() => readState(join(import.meta.dirname, "missing.json"))).toThrow(/missing\.json cannot be read/);
});
