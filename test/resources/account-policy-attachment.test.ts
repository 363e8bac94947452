import { expect, test } from "@jest/globals";
import { explain } from "../../provider/core/error.ts";
import { engine } from "../../provider/engine/engine.ts";
import { failure, live, openCloud, requests, resource } from "../support/cloud.ts";

const attachment = resource("account-policy-attachment");

const statements = '[{"effect": "allow", "action": "read"}]';

const open = () => openCloud({}, { accountId: "000000000000", settleSeconds: 5 });

test("a policy is attached and detached; no request shows the attachment, and it cannot be imported", async () => {
  const cloud = open();
  const { id } = await cloud.run(cloud.create("account-policy", { name: "readers", statements }));
  const state = await cloud.run(
    cloud.create("account-policy-attachment", { policyId: id ?? "", kcid: "team" }),
  );
  expect(live(cloud, "account_policy_attachment")).toHaveLength(1);
  expect(await cloud.run(engine.read(cloud.session, attachment, state, cloud.call))).toEqual(state);
  const error = await failure(cloud.run(engine.import(cloud.session, attachment, id ?? "", cloud.call)));
  expect(explain(error).detail).toContain(
    `The API does not read objects of this kind, so ${id} cannot be imported.`,
  );
  await cloud.run(engine.delete(cloud.session, attachment, state, cloud.call));
  expect(requests(cloud, "detach_account_policy")[0]?.body).toEqual({ kcid: "team", policyKRNs: [id] });
  expect(live(cloud, "account_policy_attachment")).toEqual([]);
});

/** Creates two attachments of one policy. */
async function attachedTwice() {
  const cloud = open();
  const { id } = await cloud.run(cloud.create("account-policy", { name: "readers", statements }));
  const attach = () =>
    cloud.run(cloud.create("account-policy-attachment", { policyId: id ?? "", kcid: "team" }));
  const first = await attach();
  await cloud.run(cloud.session.ports.clock.sleep(10_000));
  return { cloud, id: id ?? "", first, second: await attach() };
}

test("an attachment that is replaced by one of the same policy is not detached: the policy stays in force", async () => {
  const { cloud, id, first } = await attachedTwice();
  await cloud.run(engine.delete(cloud.session, attachment, first, cloud.call));
  expect(requests(cloud, "detach_account_policy")).toEqual([]);
  expect(cloud.warnings).toEqual([expect.objectContaining({ detail: expect.stringContaining(id) })]);
});

test("two attachments of one policy are both destroyed, although the API finds only one", async () => {
  const { cloud, first, second } = await attachedTwice();
  const session = cloud.reopen({ accountId: "000000000000" });
  for (const state of [first, second]) await cloud.run(engine.delete(session, attachment, state, cloud.call));
  const outcomes = requests(cloud, "detach_account_policy").map(({ outcome }) => outcome);
  expect([...new Set(outcomes)]).toEqual([200, 404]);
  expect(live(cloud, "account_policy_attachment")).toEqual([]);
});
