import * as z from "zod";
import { Refusal } from "../http/wire.ts";
import { type Cloud, newResource } from "../model/cloud.ts";
import { operation } from "../model/operation.ts";
import type { ResourceKind } from "../model/resource-kind.ts";
import { text } from "../model/schema.ts";
import type { Resource } from "../state/store.ts";

/** Fine-tuned checkpoints: a fixed catalogue whose entries a user can delete (docs/contract.md#12). */

const catalogue = ["chat-small-001", "chat-small-002", "vision-base-001"] as const;

/** Header of every inference route, with the user (docs/contract.md#12). */
export const userHeader = z.object({ "x-user": text });

export type UserHeader = z.output<typeof userHeader>;

/** Records of deletions. Their `createdAt` is in the far future, so that no listing shows them. */
const deletions = (cloud: Cloud) => cloud.store.model<Resource>("deleted_checkpoint");

/** Returns the names of the checkpoints that are not deleted. */
export function checkpointNames(cloud: Cloud): string[] {
  const deleted = new Set(
    deletions(cloud)
      .all()
      .map(({ name }) => name),
  );
  return catalogue.filter((name) => !deleted.has(name));
}

export function requireCheckpoint(cloud: Cloud, name: string, status: 400 | 404): void {
  const names = checkpointNames(cloud);
  if (names.includes(name)) return;
  throw new Refusal(status, `checkpoint ${name} not found; there are ${names.join(", ") || "none"}`);
}

const listCheckpoints = operation({
  name: "list_checkpoints",
  method: "GET",
  path: "/v1/inference/checkpoints",
  section: "12",
  source: "seed",
  headers: userHeader,
  handle: (cloud) => ({ status: 200, body: checkpointNames(cloud) }),
});

const deleteCheckpoint = operation({
  name: "delete_checkpoint",
  method: "GET",
  path: "/v1/inference/checkpoints/{checkpoint}/del",
  section: "12",
  source: "seed",
  changes: true,
  headers: userHeader,
  handle(cloud, { path: { checkpoint: name } }) {
    requireCheckpoint(cloud, name, 404);
    const record = newResource(cloud, "inference", "checkpoint", "global");
    deletions(cloud).insert({ ...record, name, parents: [], createdAt: Number.MAX_SAFE_INTEGER });
    return { status: 200 };
  },
});

/** Checkpoints. */
export const checkpointKind: ResourceKind = {
  name: "checkpoint",
  operations: [listCheckpoints, deleteCheckpoint],
};
