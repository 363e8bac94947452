import { z } from "zod";
import { digestOf } from "../auth/api-key.ts";
import { takePassword } from "../auth/auth.ts";
import { refuseByName } from "../fault/sentinel.ts";
import { region, text } from "../http/schema.ts";
import { Refusal } from "../http/wire.ts";
import { type Cloud, deleteRow, listed, live, newRow } from "../model/cloud.ts";
import type { Noun } from "../model/resource-kind.ts";
import { accountOperation } from "../object-storage/account-header.ts";
import { isoTime } from "../state/clock.ts";
import { type AccessKey, accessKeyTable } from "./access-key-model.ts";

const path = "/kos/v1/access_keys";

/** Where a key goes whose create names no region. */
const ownRegion = "In-Bangalore-1";

const render = ({ name, createdAt, region }: AccessKey) => ({
  access_key: name,
  created_date: isoTime(createdAt),
  region,
});

const listAccessKeys = accountOperation({
  name: "list_access_keys",
  method: "GET",
  path,
  section: "9.2",
  source: "seed",
  handle: (cloud) => ({ status: 200, body: listed(cloud, accessKeyTable(cloud).all()).map(render) }),
});

/** The seed shows no body; clients send these (contract 17.6). */
const wanted = z.strictObject({ key_name: text.optional(), region: region.optional() });

const createAccessKey = accountOperation({
  name: "create_access_key",
  method: "POST",
  path,
  section: "9.2",
  source: "seed",
  body: wanted,
  handle(cloud, { headers, body }) {
    refuseByName(body.key_name ?? "");
    const place = body.region ?? headers["x-region-id"] ?? ownRegion;
    const name = `AK${cloud.store.newUuid("access key").replaceAll("-", "").slice(0, 18).toUpperCase()}`;
    const secret = `emulator-secret-${cloud.store.newUuid("secret key")}`;
    accessKeyTable(cloud).insert({
      ...newRow(cloud, "kos", "accesskey", place),
      name,
      parents: [],
      digest: digestOf(secret),
      keyName: body.key_name ?? "",
    });
    return { status: 201, body: { access_key: name, secret_key: secret, message: "access key created" } };
  },
});

function requireKey(cloud: Cloud, name: string): AccessKey {
  const key = live(cloud, accessKeyTable(cloud).all()).find((row) => row.name === name);
  if (key === undefined) throw new Refusal(404, `access key ${name} not found`);
  return key;
}

const deleteAccessKey = accountOperation({
  name: "delete_access_key",
  method: "DELETE",
  path: `${path}/{access_key}`,
  section: "9.2",
  source: "seed",
  body: z.strictObject({ otp: z.string().optional() }),
  bodiless: true,
  handle(cloud, { body, path: { access_key: name } }) {
    takePassword(cloud, body.otp);
    deleteRow(cloud, requireKey(cloud, name), 0);
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
    for (const key of live(cloud, accessKeyTable(cloud).all())) deleteRow(cloud, key, 0);
    return { status: 204 };
  },
});

/** Keys of the object storage. */
export const accessKeyNoun: Noun = {
  name: "access_key",
  operations: [listAccessKeys, createAccessKey, deleteAccessKey, deleteAllAccessKeys],
};
