import { expect, test } from "@jest/globals";
import { attributes, read, stateFile } from "./state-file.ts";

test("a state file has its objects with modules, keys, private data and deposed objects", async () => {
  const bytes = Buffer.from(JSON.stringify({ createdAt: 5, account: "a1" })).toString("base64");
  const { objects, gaps, ...file } = await read(
    stateFile({
      module: 'module.shop["eu"]',
      instances: [
        { index_key: "a", attributes, private: bytes, dependencies: ["kcloud_vpc.other"] },
        { index_key: 1, attributes, deposed: "12ab" },
      ],
    }),
  );
  expect(file).toEqual({ engine: "terraform", engineVersion: "1.16.0", serial: 7, lineage: "line" });
  expect(gaps).toEqual([]);
  expect(objects).toMatchObject([
    {
      address: 'module.shop["eu"].kcloud_vpc.net["a"]',
      resource: { name: "vpc" },
      state: { id: "krn:net", createdAt: 5, account: "a1", values: { name: "net" } },
      dependsOn: ["kcloud_vpc.other"],
    },
    { address: 'module.shop["eu"].kcloud_vpc.net[1] (deposed 12ab)', isDeposed: true },
  ]);
});

test("the output of show -json has the objects of all modules", async () => {
  const row = { mode: "managed", type: "kcloud_vpc", provider_name: "registry.opentofu.org/kcloud/kcloud" };
  const { objects } = await read({
    format_version: "1.0",
    terraform_version: "1.12.6",
    values: {
      root_module: {
        resources: [{ ...row, address: "kcloud_vpc.net", values: attributes }],
        child_modules: [
          {
            resources: [
              { ...row, address: "module.a.kcloud_vpc.net", values: { ...attributes, id: "krn:two" } },
            ],
          },
        ],
      },
    },
  });
  expect(objects.map(({ address, state }) => [address, state.id])).toEqual([
    ["kcloud_vpc.net", "krn:net"],
    ["module.a.kcloud_vpc.net", "krn:two"],
  ]);
});

test("an entry without an id or a task is a gap", async () => {
  const { id: _, ...rest } = attributes;
  const made = Buffer.from(JSON.stringify({ task: "task-1" })).toString("base64");
  const { objects, gaps } = await read(
    stateFile({ instances: [{ attributes: rest }, { index_key: 1, attributes: rest, private: made }] }),
  );
  expect(gaps).toEqual(["kcloud_vpc.net has no id"]);
  expect(objects).toMatchObject([{ state: { task: "task-1" } }]);
});
