import { describe, expect, test } from "@jest/globals";
import {
  destructionOf,
  effectOfCall,
  mayDestroy,
  nameIn,
  possibleEffect,
} from "../../../operation/destruction/destruction.ts";
import { allOperations } from "../../../operation/operations.ts";
import type { Values } from "../../../provider/core/value.ts";

const rowOf = (name: string) => {
  const row = allOperations().find((each) => each.name === name);
  if (row === undefined) throw new TypeError(name);
  return row;
};
const effect = (name: string, inputs: Values) => effectOfCall(rowOf(name), inputs);

describe("the effect of a call", () => {
  test("follows from its arguments where they decide what is lost", () => {
    expect(effect("restore_backup", { name: "new" })).toBe("changes");
    expect(effect("restore_backup", { volumeId: "v" })).toBe("destroys");
    expect(effect("put_object_content", { isNew: true })).toBe("changes");
    expect(effect("put_object_content", { isNew: false })).toBe("destroys");
    expect(effect("update_pod", { action: "start" })).toBe("changes");
    expect(["stop", "restart", "of later"].map((action) => effect("update_pod", { action }))).toEqual([
      "destroys",
      "destroys",
      "destroys",
    ]);
  });

  test("of a lifecycle rule is that of what the rule deletes", () => {
    for (const name of ["create_lifecycle_rule", "update_lifecycle_rule"]) {
      expect(effect(name, { enabled: true })).toBe("changes");
      for (const limit of [
        { expirationDays: 30 },
        { noncurrentDays: 1 },
        { newerNoncurrentVersions: 0 },
        { deleteIncompleteMpu: 7 },
        { expiredObjDeleteMarker: true },
      ]) {
        expect(effect(name, limit)).toBe("destroys");
        expect(effect(name, { ...limit, enabled: false })).toBe("changes");
      }
      expect(effect(name, { expiredObjDeleteMarker: false })).toBe("changes");
    }
  });

  test("is the declared one for every operation that destroys with all arguments", () => {
    for (const row of allOperations()) {
      const { when } = destructionOf(row.name) ?? { when: true };
      if (when === undefined) expect([row.name, effectOfCall(row, {})]).toEqual([row.name, "destroys"]);
      expect(mayDestroy(row)).toBe(destructionOf(row.name) !== undefined);
    }
  });
});

test("the effect of an operation says that its arguments decide", () => {
  expect(
    ["get_vpc", "create_vpc", "delete_vpc", "move_object", "restore_backup"].map((name) =>
      possibleEffect(rowOf(name)),
    ),
  ).toEqual(["reads", "changes", "destroys", "destroys", "changes or destroys"]);
});

test("the name of an object is in one of several fields", () => {
  expect([{ name: "a" }, { vm_name: "b" }, { vpcName: "c" }, { keyName: "d" }].map(nameIn)).toEqual([
    ..."abcd",
  ]);
  expect([{ name: "" }, { name: 3 }, {}, null, "x", undefined].map(nameIn)).toEqual(Array(6).fill(undefined));
});
