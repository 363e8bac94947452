import { expect, test } from "@jest/globals";
import { actions } from "../../functions/index.ts";
import { engine } from "../../provider/engine/engine.ts";
import { ours, text } from "../repository/repository.ts";
import { live, openCloud, requests } from "../support/cloud.ts";

async function withKeys() {
  const cloud = openCloud({}, { accountId: "000000000000" });
  for (const name of ["one", "two"]) await cloud.run(cloud.create("access-key", { name }));
  const action = actions.find(({ name }) => name === "access-key-delete-all");
  if (action === undefined) throw new Error("there is no such action");
  const invoke = (accountId: string) =>
    cloud.run(engine.invoke(cloud.session, action, { accountId }, cloud.call));
  return { cloud, invoke };
}

test("every key goes once the account is named once more", async () => {
  const { cloud, invoke } = await withKeys();
  await invoke("000000000000");
  expect(live(cloud, "access_key")).toEqual([]);
  expect(requests(cloud, "delete_all_access_keys")).toHaveLength(1);
  await invoke("000000000000");
  expect(requests(cloud, "delete_all_access_keys")).toHaveLength(1);
});

test("another account's id sends nothing", async () => {
  const { cloud, invoke } = await withKeys();
  await expect(invoke("000000000001")).rejects.toThrow(
    "accountId: is not the account of the provider (accountId): nothing was deleted",
  );
  expect(live(cloud, "access_key")).toHaveLength(2);
});

test("nothing but this action can reach what is account-wide", () => {
  const users = ours.filter(
    (file) => file !== "provider/definition/endpoint.ts" && text(file).includes('"account-wide"'),
  );
  expect(users).toEqual(["functions/access-key-delete-all.ts"]);
});
