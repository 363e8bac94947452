import { expect, test } from "@jest/globals";
import { readPlan } from "../../../review/read/read.ts";
import { reportOf } from "../render/outputs.ts";
import { type Any, changed, text } from "./changed.ts";

const stepOf = (json: Any, op: string, kind: string): Any =>
  json.steps.find((step: Any) => step.op === op && step.urn.includes(`:${kind}::`));

test.each(["pulumi-retained.json", "pulumi-retained-events.jsonl"])(
  "%s: an object with retainOnDelete is removed from the state, and stays in the cloud",
  (name) => {
    const report = reportOf([readPlan("shop", text(name))]);
    expect(report.changes.map(({ address, action }) => [address, action]).toSorted()).toEqual([
      ["kcloud:index:SshKey::gone", "delete"],
      ["kcloud:index:SshKey::kept", "forget"],
      ["kcloud:index:SshKey::renamed", "create"],
      ["kcloud:index:SshKey::renamed", "forget"],
    ]);
    const [created] = report.changes.filter(({ action }) => action === "create");
    expect([created?.name, created?.id, created?.order]).toEqual(["renamed-2", undefined, undefined]);
    expect(report.findings.filter(({ rule }) => rule === "SEC-04").map(({ name: key }) => key)).toEqual([
      "gone",
    ]);
  },
);

test.each(["pulumi-left-over.json", "pulumi-left-over-events.jsonl"])(
  "%s deletes the old object of an interrupted replacement",
  (name) => {
    const { changes, findings } = reportOf([readPlan("shop", text(name))]);
    expect(changes.map(({ action, name: key, isDeposed }) => [action, key, isDeposed])).toEqual([
      ["delete", "reports", true],
    ]);
    expect(findings.map(({ rule }) => rule)).toEqual(expect.arrayContaining(["SEC-01", "OPS-12"]));
  },
);

test.each(["pulumi-destroy.json", "pulumi-destroy-events.jsonl"])(
  "%s destroys a stack after a refresh, which is not drift",
  (name) => {
    const plan = readPlan("shop", text(name));
    const { changes, findings } = reportOf([plan]);
    expect(plan.purpose).toBe("change");
    expect(
      changes.filter(({ kind }) => kind === "ssh-key").map(({ action, name: key }) => [action, key]),
    ).toEqual([["delete", "one"]]);
    expect(findings.map(({ rule }) => rule)).toEqual(expect.arrayContaining(["SEC-04"]));
  },
);

test.each(["pulumi-renamed.json", "pulumi-renamed-events.jsonl"])(
  "%s: a rename by an alias is a move, with a replacement one replacement; addresses have the types of the parents",
  (name) => {
    const report = reportOf([readPlan("shop", text(name))]);
    const team = "shop:index:Team$kcloud:index:SshKey";
    expect(
      report.changes.map(({ address, action, order, previousAddress }) => [
        ...[address, action, order, previousAddress],
      ]),
    ).toEqual([
      [`${team}::second`, "replace", "create first", `${team}::first`],
      [`${team}::new`, "none", undefined, `${team}::old`],
    ]);
    expect(report.findings.map(({ rule }) => rule)).toEqual(["SEC-04"]);
  },
);

test("an object that a refresh reads before it is deleted is one object: the whole stack is deleted", () => {
  const json = JSON.parse(text("pulumi-destroy.json"));
  const [one] = json.steps.filter(({ op, urn }: Any) => op === "delete" && /SshKey/.test(urn));
  json.steps.push({ ...one, urn: `${one.urn.slice(0, -3)}two` });
  const report = reportOf([readPlan("shop", JSON.stringify(json))]);
  expect(report.plans[0]?.objects).toBe(2);
  expect(report.findings.filter(({ rule }) => rule === "OPS-07").map(({ severity }) => severity)).toEqual([
    "critical",
  ]);
});

test("the old object of an interrupted replacement is deleted, with its data", () => {
  const plan = changed((json) => {
    const step = stepOf(json, "delete", "Volume");
    json.changeSummary.delete -= 1;
    step.op = "delete-replaced";
    step.oldState.delete = true;
  });
  const report = reportOf([plan]);
  const left = report.changes.filter(({ isDeposed }) => isDeposed);
  expect(left.map(({ action, kind }) => [action, kind])).toEqual([["delete", "volume"]]);
  const rules = report.findings.filter(({ address }) => address === left[0]?.address).map(({ rule }) => rule);
  expect(rules).toEqual(expect.arrayContaining(["DATA-01", "OPS-12"]));
});

test("a replacement whose old object an interrupted run deleted is a create, and destroys nothing", () => {
  const isOrders = ({ address }: { readonly address?: string | undefined }) =>
    address === "kcloud:index:Volume::orders";
  const shown = (edit: (step: Any) => object[]) => {
    const { changes, findings } = reportOf([
      changed((json) => {
        json.steps.push(...edit(stepOf(json, "replace", "Volume")));
      }),
    ]);
    const rules = findings.filter(isOrders).map(({ rule }) => rule);
    return [changes.filter(isOrders).map(({ action }) => action), rules.includes("DATA-01")];
  };
  expect(shown(() => [])).toEqual([["replace"], true]);
  const parts = (...ops: readonly string[]) => shown((step) => ops.map((op) => ({ ...step, op })));
  expect(parts("delete-replaced", "create-replacement")).toEqual([["replace"], true]);
  expect(parts("create-replacement")).toEqual([["create"], false]);
});
