import { expect, test } from "@jest/globals";
import { explain } from "../../provider/core/error.ts";
import type { Values } from "../../provider/core/value.ts";
import { inWordsOf } from "../../provider/core/wording.ts";
import { engine } from "../../provider/engine/engine.ts";
import { failure, live, openCloud, requests, resource } from "../support/cloud.ts";

const policy = resource("account-policy");

const statements = '[{"effect": "allow", "action": "read"}]';

const open = () => openCloud({}, { accountId: "000000000000", settleSeconds: 5 });

const inputs = (written: Values) => engine.check(policy, written).inputs;

test("a policy is sent completely and compared by meaning", async () => {
  const cloud = open();
  const state = await cloud.run(cloud.create("account-policy", { name: "readers", statements }));
  expect(state.id).toMatch(/^krn:iam:/);
  expect(requests(cloud, "create_account_policy")[0]?.body).toEqual({
    name: "readers",
    statements,
    conditions: "",
    accountId: "000000000000",
  });
  const spelled = { name: "readers", statements: '[ {"action":"read","effect":"allow"} ]' };
  expect(engine.plan(policy, state, inputs(spelled), cloud.session).action).toBe("none");
  const sized = (bytes: string) => inputs({ ...spelled, conditions: `{"size": ${bytes}}` });
  const small = { ...state, values: { ...state.values, ...sized("9007199254740992") } };
  expect(engine.plan(policy, small, sized("9007199254740993"), cloud.session).action).toBe("update");
  const other = inputs({ ...spelled, statements: "[]" });
  const changed = await cloud.run(engine.update(cloud.session, policy, state, other, cloud.call));
  expect([changed.id, changed.values.statements]).toEqual([state.id, "[]"]);
  expect(live(cloud, "account_policy")[0]).toMatchObject({ statements: "[]", name: "readers" });
});

test("a policy with the identifier of an existing one is rejected before anything is sent, whatever its name", async () => {
  const cloud = open();
  const policyKrn = "krn:iam:In-Bangalore-1:default:default:policy:own";
  await cloud.run(cloud.create("account-policy", { name: "readers", statements, policyKrn }));
  const error = await failure(
    cloud.run(cloud.create("account-policy", { name: "others", statements, policyKrn })),
  );
  expect(inWordsOf("terraform", error.step)).toBe("an object with this policy_krn already exists");
  expect(error.existence).toEqual({ is: "exists", id: policyKrn });
  expect(requests(cloud, "create_account_policy")).toHaveLength(1);
});

test("statements and conditions must be JSON", () => {
  const { problems } = engine.check(policy, { name: "readers", statements: "allow", conditions: "{" });
  expect(problems).toEqual([
    { path: ["statements"], problem: "must be JSON" },
    { path: ["conditions"], problem: "must be JSON" },
  ]);
});

test("a policy whose create returns only its id is recorded", async () => {
  const cloud = open();
  cloud.emulator.faults.add({ target: "create_account_policy", kind: "missing-field", field: "name" });
  const { id } = await cloud.run(cloud.create("account-policy", { name: "readers", statements }));
  expect(live(cloud, "account_policy").map(({ krn }) => krn)).toEqual([id]);
});

test("a response with a masked id does not change the state", async () => {
  const cloud = open();
  const state = await cloud.run(cloud.create("account-policy", { name: "readers", statements }));
  cloud.emulator.faults.add({ target: "get_account_policy", kind: "masked-ids" });
  expect(await cloud.run(engine.read(cloud.session, policy, state, cloud.call))).toEqual(state);
});

const chosen = "krn:iam:In-Bangalore-1:000000000000:00000000-0000-4000-8000-000000000000:policy:readers";

test("the error about a policy with a user-defined identifier that no read shows names its import", async () => {
  const cloud = open();
  cloud.emulator.faults.add({ target: "create_account_policy", kind: "reset", when: "before" });
  const written = { name: "readers", statements, policyKrn: chosen };
  const failed = await failure(cloud.run(cloud.create("account-policy", written)));
  expect(failed.existence.is).toBe("may exist");
  expect(explain(failed).detail).toContain(`(terraform import kcloud_account_policy.NAME '${chosen}'`);
});

test("the error about a policy with an identifier of the API names the listed policies that may be it, and nothing is recorded", async () => {
  const cloud = open();
  cloud.emulator.faults.add({ target: "create_account_policy", kind: "reset", when: "after" });
  const failed = await failure(cloud.run(cloud.create("account-policy", { name: "readers", statements })));
  const [row] = live(cloud, "account_policy");
  expect([failed.existence.is, failed.state]).toEqual(["may exist", undefined]);
  expect(explain(failed).detail).toContain(`(terraform import kcloud_account_policy.NAME '${row?.krn}'`);
});

test("the error about an existing policy with that name has its import command, if the list shows the policy", async () => {
  const cloud = open();
  const written = { name: "readers", statements };
  const { id } = await cloud.run(engine.create(cloud.reopen(), policy, inputs(written), cloud.call));
  const failed = await cloud.run(failure(cloud.create("account-policy", written)));
  expect(failed.existence).toEqual({ is: "exists", id });
  expect(explain(failed).detail).toContain(
    `Import it if nothing manages it (terraform import kcloud_account_policy.NAME '${id}'`,
  );
  const other = await cloud.run(cloud.create("account-policy", { ...written, name: "writers" }));
  const again = await cloud.run(failure(cloud.create("account-policy", written)));
  expect([other.id === id, again.existence.is]).toEqual([false, "nothing created"]);
});
