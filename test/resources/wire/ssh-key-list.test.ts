import { expect, test } from "@jest/globals";
import { explain } from "../../../provider/core/error.ts";
import { failure, live, openCloud } from "../../support/cloud.ts";
import { publicKey } from "../public-key.ts";

const customer = "00000000-0000-4000-8000-000000000000";

const written = { name: "deploy", publicKey: publicKey(1) };

test("the customer header is sent if it is configured", async () => {
  const cloud = openCloud({ assume: { sshKeyNeedsCustomer: true } }, { customerId: customer });
  await cloud.run(cloud.create("ssh-key", written));
  expect(live(cloud, "ssh_key")).toHaveLength(1);
});

test("the customer header is sent once a response contains the customer, and omitted before", async () => {
  const cloud = openCloud({ assume: { sshKeyNeedsCustomer: true } });
  const failed = await cloud.run(failure(cloud.create("ssh-key", written)));
  expect(explain(failed).detail).toContain("The API reports: header k-customer-id: required.");
  await cloud.run(cloud.create("vpc", { name: "net" }));
  await cloud.run(cloud.create("ssh-key", written));
  expect(live(cloud, "ssh_key")).toHaveLength(1);
});
