import * as z from "zod";
import { refuseByName } from "../fault/sentinel.ts";
import { operation } from "../model/operation.ts";
import type { ResourceKind } from "../model/resource-kind.ts";
import {
  copyFields,
  copyName,
  copyOperations,
  insertCopy,
  renderCopy,
  requireReadyCopy,
} from "./volume-copy.ts";
import { createdResponse, tenant } from "./volume-model.ts";

const createSnapshot = operation({
  name: "create_snapshot",
  method: "POST",
  path: "/kbs/v1/snapshots",
  section: "8",
  source: "client",
  headers: tenant,
  body: z.strictObject(copyFields),
  handle(cloud, { headers, body }) {
    const snapshot = insertCopy(cloud, "snapshot", headers, body);
    return createdResponse(cloud, "snapshot", snapshot.krn);
  },
});

const updateSnapshot = operation({
  name: "update_snapshot",
  method: "PUT",
  path: "/kbs/v1/snapshots/{snapshot}",
  section: "8",
  source: "client",
  headers: tenant,
  // The body is unknown (docs/contract.md#8); these are the mutable fields of the create.
  body: z.strictObject({ name: copyName.optional(), description: z.string().optional() }),
  handle(cloud, { headers, body, path: { snapshot: id } }) {
    const snapshot = requireReadyCopy(cloud, "snapshot", id, headers);
    if (body.name !== undefined) {
      refuseByName(body.name);
      snapshot.name = body.name;
    }
    snapshot.description = body.description ?? snapshot.description;
    snapshot.updatedAt = cloud.now;
    return { status: 200, body: renderCopy(snapshot, cloud.now) };
  },
});

/** Snapshots of volumes. */
export const snapshotKind: ResourceKind = {
  name: "snapshot",
  operations: [createSnapshot, ...copyOperations("snapshot"), updateSnapshot],
};
