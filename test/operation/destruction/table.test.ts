import { expect, test } from "@jest/globals";
import { destructions, restorable } from "../../../operation/destruction/table.ts";
import { effectOf } from "../../../operation/operation.ts";
import { allOperations } from "../../../operation/operations.ts";

const all = allOperations();
const byName = new Map(all.map((row) => [row.name, row.operation]));

test("every operation that destroys by its semantics has a reader of its object, or a reason", () => {
  const missing = all.filter(
    ({ name, operation }) => effectOf(operation) === "destroys" && destructions[name] === undefined,
  );
  expect(missing.map(({ name }) => name)).toEqual([]);
  const reasons = Object.entries(destructions).flatMap(([name, { object }]) =>
    typeof object === "string" ? [[name, object]] : [],
  );
  expect(Object.keys(Object.fromEntries(reasons)).toSorted()).toEqual([
    "attach_role_policies",
    "deactivate_session",
    "delete_all_access_keys",
    "delete_record",
    "delete_rule",
    "delete_scaling_group",
    "delete_target_group",
    "detach_account_policy",
    "put_object_content",
  ]);
  for (const [name, reason] of reasons)
    expect([name, reason]).toEqual([name, expect.stringMatching(/^[A-Z].*\.$/)]);
});

test("every operation that sets a value or acts destroys, or has the reason why nothing is lost", () => {
  const undecided = all.filter(
    ({ name, operation: { endpoint } }) =>
      ["update", "action"].includes(endpoint.semantics) &&
      !(name in restorable) &&
      (destructions[name] === undefined || destructions[name]?.when !== undefined),
  );
  expect(undecided.map(({ name }) => name)).toEqual([]);
  for (const [name, reason] of Object.entries(restorable)) {
    expect([name, reason]).toEqual([name, expect.stringMatching(/^[A-Z`].*\.$/)]);
    // An operation that always destroys restores nothing.
    const destruction = destructions[name];
    if (destruction !== undefined) expect([name, destruction.when]).not.toEqual([name, undefined]);
  }
});

test("creates destroy only where they overwrite or delete", () => {
  const creating = Object.entries(destructions).filter(
    ([name]) => byName.get(name)?.endpoint.semantics === "create",
  );
  expect(creating.map(([name, { when }]) => [name, when !== undefined])).toEqual([
    ["restore_backup", true],
    ["create_snapshot_policy", false],
    ["create_backup_policy", false],
    ["create_lifecycle_rule", true],
  ]);
});

test("the table names operations and parameters that exist, and sentences", () => {
  for (const [name, { identifier, about, when, companions = [] }] of Object.entries(destructions)) {
    const fields = Object.keys(byName.get(name)?.fields ?? {});
    if (typeof identifier === "string")
      expect([name, fields]).toEqual([name, expect.arrayContaining([identifier])]);
    for (const text of [about, when?.about])
      if (text !== undefined) expect([name, text]).toEqual([name, expect.stringMatching(/^[A-Z].*\.$/)]);
    for (const companion of companions) expect(companion.about).toMatch(/^(the|a) [^A-Z].*[^.]$/s);
  }
  expect(Object.keys(destructions).filter((name) => !byName.has(name))).toEqual([]);
  expect(Object.keys(restorable).filter((name) => !byName.has(name))).toEqual([]);
});
