import { expect, test } from "@jest/globals";
import { explain } from "../../provider/core/error.ts";
import { live, settle } from "../support/cloud.ts";
import { expectGolden } from "../support/golden.ts";
import { openStorage, type Storage } from "../support/storage-world.ts";

/** Tests error responses of object storage (docs/contract.md#9) for each operation that has them, as a user reads them. */

const outcomes = {
  "bad request": [400, "invalid parameters"],
  unauthorized: [401, "invalid credentials"],
  "not found": [404, "no such item"],
  conflict: [409, "an item of this name exists already"],
  "unprocessable entity": [422, "validation error"],
  "too many attempts": [429, "too many session activation attempts"],
  "internal server error": [500, "internal server error"],
  "service unavailable": [503, "service unavailable"],
} as const;

type Outcome = keyof typeof outcomes;

/** Prepares the required objects and returns the operation that gets the error response. */
type Prepare = (storage: Storage) => Promise<() => Promise<unknown>>;

const createOf =
  (kind: string): Prepare =>
  async (storage) =>
  () =>
    storage.create(kind);
const verbOf =
  (verb: "read" | "change" | "remove", kind: string): Prepare =>
  async (storage) => {
    const state = await storage.create(kind);
    if (verb === "read") await settle(storage.cloud);
    return () => storage[verb](kind, state);
  };
/** Reads an object that no listing shows any more, so that the read sends its single GET. */
const readOfDeleted =
  (kind: string): Prepare =>
  async (storage) => {
    const state = await storage.create(kind);
    await settle(storage.cloud);
    const made = live(storage.cloud, kind.replaceAll("-", "_")).at(-1);
    storage.cloud.emulator.inventory.remove(made?.krn ?? "");
    return () => storage.read(kind, state);
  };
const withObject =
  (run: (storage: Storage, object: { bucketId: string; key: string }) => Promise<unknown>): Prepare =>
  async (storage) => {
    await storage.create("object");
    return () => run(storage, { bucketId: storage.bucketId, key: "a.txt" });
  };
const leaseOf =
  (verb: "renew" | "close"): Prepare =>
  async (storage) => {
    const { open, ...lease } = await storage.lease();
    const { lease: kept } = await open();
    if (kept === undefined) throw new Error("the session has no lease");
    return () => lease[verb](kept);
  };

const ofAll = ["bad request", "unauthorized", "internal server error"] as const;
const ofMost = [...ofAll, "service unavailable"] as const;
const ofNamed = [...ofMost, "not found"] as const;
const ofObject = [...ofAll, "not found"] as const;

/** Operations of the API, what sends each of them, and the outcomes to test. */
const cases: readonly (readonly [operation: string, prepare: Prepare, met: readonly Outcome[]])[] = [
  ["list_buckets", createOf("bucket"), ofMost],
  ["create_bucket", createOf("bucket"), [...ofMost, "conflict", "unprocessable entity"]],
  ["get_bucket", readOfDeleted("bucket"), ofNamed],
  ["update_bucket", verbOf("change", "bucket"), ofNamed],
  ["delete_bucket", verbOf("remove", "bucket"), ofNamed],
  ["list_access_keys", verbOf("read", "access-key"), ofMost],
  ["create_access_key", createOf("access-key"), ofMost],
  ["delete_access_key", verbOf("remove", "access-key"), ofNamed],
  [
    "delete_all_access_keys",
    async (storage) => {
      await storage.create("access-key");
      return () => storage.act("access-key-delete-all", { accountId: "000000000000" });
    },
    ofMost,
  ],
  ["list_lifecycle_rules", createOf("lifecycle-rule"), ofNamed],
  ["create_lifecycle_rule", createOf("lifecycle-rule"), [...ofNamed, "conflict"]],
  ["get_lifecycle_rule", readOfDeleted("lifecycle-rule"), ofNamed],
  ["update_lifecycle_rule", verbOf("change", "lifecycle-rule"), ofNamed],
  ["delete_lifecycle_rule", verbOf("remove", "lifecycle-rule"), ofNamed],
  ["create_account_policy", createOf("account-policy"), [...ofMost, "conflict", "unprocessable entity"]],
  ["get_account_policy", verbOf("read", "account-policy"), ofNamed],
  ["update_account_policy", verbOf("change", "account-policy"), ofNamed],
  ["delete_account_policy", verbOf("remove", "account-policy"), ofNamed],
  ["attach_account_policy", createOf("account-policy-attachment"), ofNamed],
  ["detach_account_policy", verbOf("remove", "account-policy-attachment"), ofNamed],
  ["activate_session", createOf("object"), [...ofAll, "too many attempts"]],
  ["activate_session", async (storage) => (await storage.lease()).open, [...ofAll, "too many attempts"]],
  ["refresh_session", leaseOf("renew"), ofObject],
  ["deactivate_session", leaseOf("close"), ofObject],
  ["list_objects", withObject((storage, { bucketId }) => storage.ask("objects", { bucketId })), ofObject],
  ["upload_object", createOf("object"), ofObject],
  ["get_object_metadata", verbOf("read", "object"), ofObject],
  ["rename_object", verbOf("change", "object"), ofObject],
  ["delete_object", verbOf("remove", "object"), ofObject],
  ["download_object", withObject((storage, object) => storage.ask("object-content", object)), ofObject],
  [
    "move_object",
    withObject((storage, object) => storage.act("object-move", { ...object, toKey: "b.txt" })),
    ofObject,
  ],
  ["get_bucket_policy", verbOf("read", "bucket-policy"), ofNamed],
  ["create_bucket_policy", createOf("bucket-policy"), ofNamed],
  ["update_bucket_policy", verbOf("change", "bucket-policy"), ofNamed],
  ["delete_bucket_policy", verbOf("remove", "bucket-policy"), ofNamed],
];

/** Returns the text that a user reads when the API answers the operation with this outcome. */
async function textOf(operation: string, prepare: Prepare, outcome: Outcome): Promise<string> {
  const storage = await openStorage();
  const [status, message] = outcomes[outcome];
  const run = await prepare(storage);
  const { emulator, warnings } = storage.cloud;
  warnings.length = 0;
  const { faults } = emulator;
  faults.add({ target: operation, kind: String(status), body: { message } });
  const texts = await run().then(
    () => (warnings.length === 0 ? [{ summary: "It is done" }] : warnings),
    (error) => [explain(error)],
  );
  expect(`${operation} met ${faults.list()[0]?.hits}`).toMatch(/met [1-9]/);
  return texts
    .flatMap((text) => Object.values(text))
    .join("\n")
    .replaceAll(/request-\d+/g, "request-N");
}

test("every outcome of object storage names the failure, the cause, the existing object and the remedy", async () => {
  const texts: string[] = [];
  for (const [operation, prepare, met] of cases)
    for (const outcome of met)
      texts.push(`# ${operation}: ${outcome}\n${await textOf(operation, prepare, outcome)}\n`);
  expectGolden("storage-refusal.txt", texts.join("\n"));
});
