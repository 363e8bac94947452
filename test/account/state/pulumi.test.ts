import { expect, test } from "@jest/globals";
import { read, stack } from "./state-file.ts";

test("an export of a stack has its objects, of the plugin and of dynamic classes, without those that it only looks up", async () => {
  const { objects, gaps } = await read(
    stack({ dependencies: ["urn:pulumi:dev::proj::kcloud:index:Vpc::other"] }),
  );
  expect([objects, gaps]).toMatchObject([
    [
      {
        address: "kcloud:index:Vpc::net",
        state: { id: "krn:net", createdAt: 5 },
        dependsOn: ["kcloud:index:Vpc::other"],
      },
    ],
    [],
  ]);
  expect((await read(stack({ external: true }))).objects).toEqual([]);
  expect(await read(stack({ pendingReplacement: true }))).toMatchObject({ objects: [], gaps: [] });
  expect((await read(stack({ delete: true }))).objects).toMatchObject([{ isDeposed: true }]);
  expect(await read(stack({ id: "" }))).toMatchObject({
    objects: [],
    gaps: ["kcloud:index:Vpc::net has no id"],
  });
});
