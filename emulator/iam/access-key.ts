import * as z from "zod";
import { digestOf } from "../auth/api-key.ts";
import { requireOneTimePassword } from "../auth/auth.ts";
import { refuseByName } from "../fault/sentinel.ts";
import { Refusal } from "../http/wire.ts";
import { type Cloud, deleteResource, existing, listed, newResource } from "../model/cloud.ts";
import type { ResourceKind } from "../model/resource-kind.ts";
import { region, text } from "../model/schema.ts";
import { isoTime } from "../state/clock.ts";
import { type AccessKey, accessKeyModel } from "./access-key-model.ts";
import { accountOperation, defaultRegion } from "./account-header.ts";

const accessKeysPath = "/kos/v1/access_keys";

/** Renders a key in the spelling that the switch selects (docs/contract.md#16). */
function renderAccessKey(cloud: Cloud, { name, createdAt, keyName, ...key }: AccessKey) {
  const { accessKeySpelling, accessKeyRegion } = cloud.settings.assume;
  const created = isoTime(createdAt);
  const region = accessKeyRegion === "as-sent" ? key.region : key.region.toLowerCase();
  return accessKeySpelling === "documented"
    ? { access_key: name, created_date: created, region }
    : { access_key_id: name, created_at: created, key_name: keyName, status: "active", region };
}

const listAccessKeys = accountOperation({
  name: "list_access_keys",
  method: "GET",
  path: accessKeysPath,
  section: "9.2",
  source: "seed",
  handle: (cloud) => ({
    status: 200,
    body: listed(cloud, accessKeyModel(cloud).all()).map((key) => renderAccessKey(cloud, key)),
  }),
});

/** Body of a create as clients send it; the seed document shows none (docs/contract.md#17.6). */
const accessKeyBody = z.strictObject({ key_name: text.optional(), region: region.optional() });

const createAccessKey = accountOperation({
  name: "create_access_key",
  method: "POST",
  path: accessKeysPath,
  section: "9.2",
  source: "seed",
  body: accessKeyBody,
  handle(cloud, { headers, body }) {
    refuseByName(body.key_name ?? "");
    const place = body.region ?? headers["x-region-id"] ?? defaultRegion;
    const name = `AK${cloud.store.newUuid("access key").replaceAll("-", "").slice(0, 18).toUpperCase()}`;
    const secret = `emulator-secret-${cloud.store.newUuid("secret key")}`;
    accessKeyModel(cloud).insert({
      ...newResource(cloud, "kos", "accesskey", place),
      name,
      parents: [],
      digest: digestOf(secret),
      keyName: body.key_name ?? "",
    });
    return { status: 201, body: { access_key: name, secret_key: secret, message: "access key created" } };
  },
});

function requireKey(cloud: Cloud, name: string): AccessKey {
  const key = existing(cloud, accessKeyModel(cloud).all()).find((resource) => resource.name === name);
  if (key === undefined) throw new Refusal(404, `access key ${name} not found`);
  return key;
}

const deleteAccessKey = accountOperation({
  name: "delete_access_key",
  method: "DELETE",
  path: `${accessKeysPath}/{access_key}`,
  section: "9.2",
  source: "seed",
  body: z.strictObject({ otp: z.string().optional() }),
  bodiless: true,
  handle(cloud, { body, path: { access_key: name } }) {
    requireOneTimePassword(cloud, body.otp);
    deleteResource(cloud, requireKey(cloud, name), 0);
    return { status: 204 };
  },
});

const deleteAllAccessKeys = accountOperation({
  name: "delete_all_access_keys",
  method: "DELETE",
  path: "/internal/kos/v1/access_keys_all",
  section: "9.2",
  source: "seed",
  handle(cloud) {
    for (const key of existing(cloud, accessKeyModel(cloud).all())) deleteResource(cloud, key, 0);
    return { status: 204 };
  },
});

/** Access keys of object storage. */
export const accessKeyKind: ResourceKind = {
  name: "access_key",
  operations: [listAccessKeys, createAccessKey, deleteAccessKey, deleteAllAccessKeys],
};
