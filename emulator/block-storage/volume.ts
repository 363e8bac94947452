import * as z from "zod";
import { deleteFailureByName, failureByName, refuseByName } from "../fault/sentinel.ts";
import { Refusal } from "../http/wire.ts";
import {
  type Cloud,
  deleteResource,
  dependents,
  existing,
  isReady,
  isRepeatedDelete,
  listed,
  refuseDuplicateName,
} from "../model/cloud.ts";
import { requireImage } from "../model/image.ts";
import { operation } from "../model/operation.ts";
import type { ResourceKind } from "../model/resource-kind.ts";
import { flag, text, withAliases } from "../model/schema.ts";
import { requireReadyVpc, requireVpc, type Vpc, vpcModel } from "../network/vpc-model.ts";
import { startWork } from "../state/work.ts";
import { volumeChanges } from "./volume-change.ts";
import { copyModel, requireReadyCopy } from "./volume-copy.ts";
import {
  createdResponse,
  insertVolume,
  metadata,
  renderListedVolumes,
  renderVolume,
  requireVolume,
  startChange,
  tenant,
  type Volume,
  volumeModel,
  volumePath,
  volumeSize,
  volumeState,
} from "./volume-model.ts";

/** Headers of create, get and delete, which also accept the seed document's form without the tenant (docs/contract.md#16.1). */
const optionalTenant = tenant.partial({ "k-tenant-id": true });

const perSecond = z.int().min(0).optional();

/** Returns the VPC of a new volume: without a tenant the account's only VPC (docs/contract.md#16.1). */
function tenantVpc(cloud: Cloud, headers: z.output<typeof optionalTenant>): Vpc {
  const krn = headers["k-tenant-id"];
  if (krn !== undefined) return requireReadyVpc(cloud, krn, headers["x-region"]);
  const [only, ...more] = existing(cloud, vpcModel(cloud).all());
  if (!only || more.length > 0) throw new Refusal(400, "header k-tenant-id: required");
  return requireReadyVpc(cloud, only.krn, headers["x-region"]);
}

function checkVolumeSource(cloud: Cloud, source: NonNullable<Volume["source"]>, place: string): void {
  if (source.type === "image") requireImage(cloud, source.id, place);
  if (source.type === "snapshot") requireReadyCopy(cloud, "snapshot", source.id, { "x-region": place });
  if (source.type !== "volume") return;
  const volume = requireVolume(cloud, source.id, { "x-region": place });
  if (!isReady(cloud, volume))
    throw new Refusal(409, `volume ${volume.name} is ${volumeState(cloud, volume)}`);
}

const createVolume = operation({
  name: "create_volume",
  method: "POST",
  path: "/kbs/v1/volumes",
  section: "8",
  source: "seed",
  headers: optionalTenant,
  body: withAliases(
    { volumeName: "name", volumeType: "volumetype", availabilityZone: "availability_zone" },
    z.strictObject({
      name: text,
      size: volumeSize,
      volumetype: text,
      availability_zone: text,
      multiattach: z.boolean().default(false),
      description: z.string().optional(),
      metadata: metadata.optional(),
      qos: z
        .strictObject({
          bandwidth: z.strictObject({ read_bytes_sec: perSecond, write_bytes_sec: perSecond }).optional(),
          iops: z.strictObject({ read_iops_sec: perSecond, write_iops_sec: perSecond }).optional(),
        })
        .optional(),
      source: z.strictObject({ id: text, type: z.enum(["image", "volume", "snapshot"]) }).optional(),
    }),
  ),
  handle(cloud, { headers, body }) {
    refuseByName(body.name);
    const vpc = tenantVpc(cloud, headers);
    refuseDuplicateName(cloud, volumeModel(cloud).all(), vpc.krn, "volume", body.name);
    if (body.source) checkVolumeSource(cloud, body.source, vpc.region);
    const volume = insertVolume(cloud, vpc, {
      name: body.name,
      size: body.size,
      volumeType: body.volumetype,
      availabilityZone: body.availability_zone,
      multiattach: body.multiattach,
      description: body.description ?? "",
      metadata: body.metadata ?? {},
      qos: body.qos ?? null,
      source: body.source ?? null,
      work: startWork(cloud.now, cloud.settings.taskMs, failureByName(body.name)),
    });
    return createdResponse(cloud, "volume", volume.krn);
  },
});

const getVolume = operation({
  name: "get_volume",
  method: "GET",
  path: volumePath,
  section: "8",
  source: "seed",
  headers: optionalTenant,
  handle(cloud, { headers, path: { volume } }) {
    return { status: 200, body: renderVolume(cloud, requireVolume(cloud, volume, headers)) };
  },
});

const listVolumes = operation({
  name: "list_volumes",
  method: "GET",
  path: "/kbs/v1/volumes",
  section: "8",
  source: "seed",
  headers: tenant,
  handle(cloud, { headers }) {
    const vpc = requireVpc(cloud, headers["k-tenant-id"], headers["x-region"]);
    const resources = listed(cloud, volumeModel(cloud).all()).filter(
      (resource) => resource.parents[0] === vpc.krn,
    );
    return { status: 200, body: renderListedVolumes(cloud, resources) };
  },
});

/** Rejects the delete of an attached volume, and of one with snapshots when the switch forbids it. */
function refuseUsed(cloud: Cloud, volume: Volume): void {
  const users = dependents(cloud, volume.krn);
  const copies = users.filter(({ krn }) => copyModel(cloud, "snapshot").get(krn));
  if (users.length > copies.length) throw new Refusal(409, `volume ${volume.name} is in use`);
  if (copies.length === 0 || cloud.decide("volumeDeleteWithSnapshots") === "keeps") return;
  throw new Refusal(409, `volume ${volume.name} has snapshots: ${copies.map(({ name }) => name).join(", ")}`);
}

const deleteVolume = operation({
  name: "delete_volume",
  method: "DELETE",
  path: volumePath,
  section: "8",
  source: "seed",
  headers: optionalTenant,
  query: z.strictObject({ force: flag.optional() }),
  handle(cloud, { headers, query, path: { volume: krn } }) {
    const volume = requireVolume(cloud, krn, headers);
    const status = cloud.settings.assume.volumeDeleteStatus;
    if (isRepeatedDelete(cloud, volume, "Unable to fetch volume")) return { status };
    if (cloud.now < volume.work.endsAt) throw new Refusal(409, `volume ${volume.name} is creating`);
    if (query.force && !/^(error|fail)/.test(volumeState(cloud, volume)))
      throw new Refusal(400, "query force: only for a failed volume");
    refuseUsed(cloud, volume);
    const failure = deleteFailureByName(volume.name);
    if (failure === undefined) deleteResource(cloud, volume, cloud.settings.taskMs);
    else startChange(cloud, volume, { action: "delete" }, failure);
    return { status };
  },
});

const listVolumeTypes = operation({
  name: "list_volume_types",
  method: "GET",
  path: "/kbs/v1/volumes/types",
  section: "8",
  source: "client",
  headers: tenant,
  // Seed and clients disagree about the names, so a create accepts any (docs/contract.md#8); these are all that occur.
  handle: () => ({
    status: 200,
    body: ["standard", "ssd", "HNSS", "HNSS_Encrypted"].map((name) => ({ name })),
  }),
});

/** Block volumes of a VPC. */
export const volumeKind: ResourceKind = {
  name: "volume",
  operations: [createVolume, getVolume, listVolumes, deleteVolume, ...volumeChanges, listVolumeTypes],
};
