import { expect, test } from "@jest/globals";
import { actions } from "../../functions/index.ts";
import { inWordsOf } from "../../provider/core/wording.ts";
import { engine } from "../../provider/engine/engine.ts";
import { ours, text } from "../repository/repository.ts";
import { failure, live, openCloud, requests } from "../support/cloud.ts";

async function withKeys() {
  const cloud = openCloud({}, { accountId: "000000000000" });
  for (const name of ["one", "two"]) await cloud.run(cloud.create("access-key", { name }));
  const action = actions.find(({ name }) => name === "access-key-delete-all");
  if (action === undefined) throw new Error("there is no such action");
  const invoke = (accountId: string) =>
    cloud.run(engine.invoke(cloud.session, action, { accountId }, cloud.call));
  return { cloud, invoke };
}

test("every key is deleted if the account id is repeated", async () => {
  const { cloud, invoke } = await withKeys();
  await invoke("000000000000");
  expect(live(cloud, "access_key")).toEqual([]);
  expect(requests(cloud, "delete_all_access_keys")).toHaveLength(1);
  await invoke("000000000000");
  expect(requests(cloud, "delete_all_access_keys")).toHaveLength(1);
});

test.each(["reset", "500", "429", "refusal-in-200"])(
  "after a %s the keys are not deleted by a second request, and the error says what to check",
  async (kind) => {
    const { cloud, invoke } = await withKeys();
    const target = "delete_all_access_keys";
    const when = kind.endsWith("200") ? {} : { when: "before" as const };
    cloud.emulator.faults.add({ target, kind, ...when });
    const failed = await failure(invoke("000000000000"));
    expect(requests(cloud, target)).toHaveLength(1);
    if (kind === "429") return;
    expect(failed.existence.is).toBe("may be done");
    expect(inWordsOf("terraform", failed.next)).toContain("Check which access keys the API lists");
  },
);

test("with the id of another account, nothing is sent", async () => {
  const { cloud, invoke } = await withKeys();
  await expect(invoke("000000000001")).rejects.toThrow(
    "accountId: is not the account of the provider (accountId): nothing was deleted",
  );
  expect(live(cloud, "access_key")).toHaveLength(2);
});

test("one route has an account-wide effect, and only this action and the table of operations name it", () => {
  const declaring = ours.filter(
    (file) => file !== "provider/definition/endpoint.ts" && text(file).includes('"account-wide"'),
  );
  const naming = ours.filter((file) => /\bdeleteAllKeys\b/.test(text(file)));
  expect(declaring).toEqual(["resources/wire/access-key.ts"]);
  expect(naming.filter((file) => !file.startsWith("operation/"))).toEqual([
    "functions/access-key-delete-all.ts",
    "resources/wire/access-key.ts",
  ]);
});
