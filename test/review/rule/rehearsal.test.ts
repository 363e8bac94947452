import { expect, test } from "@jest/globals";
import { rehearsalRules } from "../../../review/rule/rehearsal.ts";
import { changeOf, hitsOf, planOf } from "../change-of.ts";
import { rehearsed } from "../rehearsal-of.ts";
import { testRules } from "./check.ts";

testRules(rehearsalRules);

const plan = planOf([changeOf("ssh-key", undefined, { name: "k" })]);

test("a finding about an object of the plan has the object, and one about another address has the address", () => {
  const secondPlan = ["kcloud_ssh_key.k", "kcloud_ssh_key.other"];
  const hits = hitsOf("RUN-05", [plan], {}, [rehearsed(plan, { secondPlan })]);
  expect(hits.map(({ change, plan: name, address }) => [change?.address, name, address])).toEqual([
    ["kcloud_ssh_key.k", undefined, undefined],
    [undefined, "plan", "kcloud_ssh_key.other"],
  ]);
});

test("a difference that begins with an address of the plan is about that object", () => {
  const address = 'kcloud_ssh_key.k["a: b"]';
  const own = planOf([changeOf("ssh-key", undefined, { name: "k" }, { address })]);
  const differences = [`${address}: another planned name`, "kcloud_ssh_key.k: x", "no address"];
  const hits = hitsOf("RUN-06", [own], {}, [rehearsed(own, { differences })]);
  expect(hits.map(({ change, plan: name }) => [change?.address, name])).toEqual([
    [address, undefined],
    [undefined, "plan"],
    [undefined, "plan"],
  ]);
});

test("each rehearsal of a plan must reach the end, if the policy requires one", () => {
  const settings = { requireRehearsal: true };
  const rehearsals = [rehearsed(plan), rehearsed(plan, { isComplete: false })];
  expect(hitsOf("RUN-09", [plan], settings, rehearsals)).toHaveLength(1);
  expect(hitsOf("RUN-09", [plan], settings, rehearsals.slice(0, 1))).toEqual([]);
});
