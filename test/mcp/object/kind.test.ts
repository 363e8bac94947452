import { expect, test } from "@jest/globals";
import { lookups } from "../../../functions/index.ts";
import { kinds } from "../../../mcp/object/kind.ts";
import { memberOf } from "../../../provider/definition/shape.ts";
import { resources } from "../../../resources/index.ts";

test("every resource is a kind, and every lookup lists or reads one, except the content of an object", () => {
  expect(resources.filter(({ name }) => !kinds.has(name))).toEqual([]);
  const used = [...kinds.values()].flatMap(({ all, one }) => [all?.name, one?.name]);
  expect(lookups.map(({ name }) => name).filter((name) => !used.includes(name))).toEqual(["object-content"]);
});

test("lookups without a resource belong to kinds in the singular", () => {
  const names = ["image", "instance-type", "ssh-key", "bucket", "object", "region", "checkpoint"];
  expect(names.map((name) => kinds.get(name)?.all?.name)).toEqual([
    ...["images", "instance-types", "ssh-keys", "buckets", "objects", "regions", "checkpoints"],
  ]);
  expect(kinds.get("ai-pod")).toMatchObject({ all: undefined, one: undefined, isRead: true });
  expect(kinds.get("text-summary")).toMatchObject({ all: undefined, one: undefined, isRead: false });
});

test("no look-up needs a secret", () => {
  const secrets = [...kinds.values()].flatMap(({ all, one }) =>
    [all, one].flatMap((lookup) =>
      Object.entries(lookup?.fields ?? {}).flatMap(([name, field]) =>
        field.kind !== "computed" && memberOf(field).secret ? [`${lookup?.name}.${name}`] : [],
      ),
    ),
  );
  expect(secrets).toEqual([]);
});
