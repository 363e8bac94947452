import { expect, test } from "@jest/globals";
import type { Execution } from "../../../emulator/emulator.ts";
import { assumptionsOf } from "../../../rehearse/cloud/decision.ts";
import { instance, krnOf, subnet, vpc } from "../../emulator/inventory/sample.ts";

const target = (address: string, ids: readonly string[], isFailed = false) => ({ address, ids, isFailed });
const execution = (more: Partial<Execution>): Execution => ({
  ...{ operation: "delete_subnet", changes: true, status: 200, objects: [], decisions: ["equalNames"] },
  ...more,
});
const of = (targets: readonly ReturnType<typeof target>[], ...executions: readonly Execution[]) =>
  Object.fromEntries(assumptionsOf(targets, executions));

test("an object has the assumptions of its requests, also by a UUID and as a part of an id", () => {
  const [uuid = ""] = subnet.split(":").slice(-1);
  const targets = [target("subnet", [uuid]), target("vpc", [vpc]), target("pair", [`${subnet}/${instance}`])];
  expect(of(targets, execution({ objects: [subnet] }))).toEqual({
    ...{ subnet: ["equalNames"], vpc: [], pair: [] },
    pair: ["equalNames"],
  });
});

test("an account's UUID in a KRN is no object", () => {
  const other = krnOf("vpc", "vpc", 99);
  expect(of([target("vpc", [vpc])], execution({ objects: [other] }))).toEqual({ vpc: [] });
});

test("a rejected request without an object of the plan counts for all that failed, an accepted one for none", () => {
  const targets = [target("new", [], true), target("old", [vpc])];
  expect(of(targets, execution({ status: 409, decisions: ["usedDevice"] }))).toEqual({
    ...{ new: ["usedDevice"], old: [] },
  });
  expect(of(targets, execution({ status: 201 }))).toEqual({ new: [], old: [] });
});

test("assumptions are listed once, by name", () => {
  const decisions = ["usedDevice", "equalNames"] as const;
  const repeated = execution({ objects: [vpc], decisions });
  expect(of([target("vpc", [vpc])], repeated, repeated)).toEqual({ vpc: ["equalNames", "usedDevice"] });
});
