import { expect, test } from "@jest/globals";
import {
  description,
  lossOf,
  lossText,
  operationList,
  spelled,
  unknownOperation,
} from "../../../mcp/operation/description.ts";
import { operationNamed } from "../../../mcp/operation/offer.ts";
import { allOperations, type NamedOperation } from "../../../operation/operations.ts";

const settings = { hasPasswords: false };
const none = { text: undefined, area: undefined, effect: undefined };
const rowOf = (name: string): NamedOperation => {
  const row = operationNamed(name);
  if (row === undefined) throw new TypeError(name);
  return row;
};

test("the list has all operations by area, or those of a filter with their tools or the reason without one", () => {
  expect(operationList(none, settings)).toMatchObject({ count: allOperations().length });
  const { count, operations } = operationList({ ...none, area: "bucket", effect: "destroys" }, settings) as {
    readonly count: number;
    readonly operations: readonly { readonly operation: string; readonly effect: string }[];
  };
  expect([count, operations.every(({ effect }) => effect.includes("destroys"))]).toEqual([
    operations.length,
    true,
  ]);
  expect(operations).toContainEqual(
    expect.objectContaining({
      operation: "delete_bucket",
      not_offered: expect.stringContaining("one-time password"),
    }),
  );
  expect(operationList({ ...none, text: "no such text" }, settings)).toEqual({ count: 0, operations: [] });
});

test("a description has parameters without secrets, the request and what is lost", () => {
  const created = description(rowOf("create_instance"), settings) as {
    readonly parameters: { readonly properties: object };
    readonly not_parameters: readonly string[];
  };
  expect(created.not_parameters).toContain("userData: a secret");
  expect(Object.keys(created.parameters.properties)).not.toContain("userData");
  expect(description(rowOf("delete_volume"), settings)).toMatchObject({
    request: "DELETE /kbs/v1/volumes/{volume}",
    loss: { may_go_with_it: [expect.stringContaining("snapshots of the volume")] },
  });
});

test("losses are those of the table, and names in texts are those of operations", () => {
  expect([lossOf("get_volume"), lossText("get_volume")]).toEqual([{}, ""]);
  expect(lossText("restore_backup")).toMatch(/^ \(With .*replaced\)$/);
  expect(spelled("see `listVolumeTypes` and `other`")).toBe("see list_volume_types and `other`");
});

test("an unknown name is cut, and has the nearest one", () => {
  expect(unknownOperation("create_vpcs")).toBe(
    'Unknown operation "create_vpcs"; did you mean "create_vpc"? (list_operations lists them)',
  );
  expect(unknownOperation("x".repeat(500)).length).toBeLessThan(200);
});
