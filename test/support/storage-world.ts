import { actions, ephemerals, lookups } from "../../functions/index.ts";
import type { Given } from "../../provider/config/setting.ts";
import type { ResourceState } from "../../provider/core/state.ts";
import { reveal, type Value, type Values } from "../../provider/core/value.ts";
import { engine } from "../../provider/engine/engine.ts";
import { openCloud, resource } from "./cloud.ts";
import { named } from "./object-function.ts";

/** Cloud with a bucket and a policy, and the operations on every resource of object storage. */

const settings: Given = {
  accountId: "000000000000",
  accessKey: "emulator-access-key",
  secretKey: "emulator-secret-key",
  otpCommand: "print one",
  settleSeconds: 5,
};

const statements = '[{"effect": "allow", "action": "read"}]';

/**
 * Inputs of one object of each resource, and inputs that change it in place; `in` is the field that refers to its
 * parent.
 */
const written: Readonly<
  Record<string, { readonly first: Values; readonly later?: Values; readonly in?: string }>
> = {
  bucket: { first: { name: "logs" }, later: { versioning: true } },
  "bucket-policy": {
    in: "bucketId",
    first: { readWriteIps: ["10.0.0.0/24"] },
    later: { readOnlyIps: ["192.0.2.1"] },
  },
  "lifecycle-rule": {
    in: "bucketId",
    first: { name: "old", expirationDays: 90 },
    later: { expirationDays: 30 },
  },
  "access-key": { first: { name: "backup" } },
  "account-policy": { first: { name: "readers", statements }, later: { statements: "[]" } },
  "account-policy-attachment": { in: "policyId", first: { kcid: "team" } },
  object: { in: "bucketId", first: { key: "a.txt", content: "one" }, later: { key: "b.txt" } },
};

export type Storage = Awaited<ReturnType<typeof openStorage>>;

/** Opens a cloud with a bucket and a policy of the account. */
export async function openStorage() {
  const cloud = openCloud({}, settings, {
    command: async () => ({ status: 0, output: cloud.emulator.password() }),
  });
  const made = async (kind: string, values: Values) =>
    String((await cloud.run(cloud.create(kind, values))).id);
  const parents: Values = {
    bucketId: await made("bucket", { name: "data" }),
    policyId: await made("account-policy", { name: "writers", statements }),
  };
  const valuesOf = (kind: string): Values => {
    const { first = {}, in: parent } = written[kind] ?? {};
    return { ...(parent === undefined ? {} : { [parent]: parents[parent] as Value }), ...first };
  };
  const inputs = (kind: string, change: Values = {}) =>
    engine.check(resource(kind), { ...valuesOf(kind), ...change }).inputs;
  const { run, session, call } = cloud;
  return {
    cloud,
    bucketId: String(parents.bucketId),
    create: (kind: string) => run(cloud.create(kind, valuesOf(kind))),
    read: (kind: string, state: ResourceState) =>
      run(engine.read(cloud.reopen(), resource(kind), state, call)),
    change: (kind: string, state: ResourceState) =>
      run(engine.update(session, resource(kind), state, inputs(kind, written[kind]?.later), call)),
    remove: (kind: string, state: ResourceState) => run(engine.delete(session, resource(kind), state, call)),
    ask: (name: string, values: Values) => run(engine.lookup(session, named(lookups, name), values, call)),
    act: (name: string, values: Values) => run(engine.invoke(session, named(actions, name), values, call)),
    /** Creates an access key and returns the operations on an ephemeral object session of this key. */
    async lease() {
      const ephemeral = named(ephemerals, "object-session");
      const key = await run(cloud.create("access-key", { name: "other" }));
      const pair = { accessKey: String(key.id), secretKey: String(reveal(key.values.secretKey ?? null)) };
      const open = () => run(engine.open(session, ephemeral, pair, call));
      type Lease = NonNullable<Awaited<ReturnType<typeof open>>["lease"]>;
      return {
        open,
        renew: (kept: Lease) => run(engine.renew(session, ephemeral, kept, call)),
        close: (kept: Lease) => run(engine.close(session, ephemeral, kept, call)),
      };
    },
  };
}
