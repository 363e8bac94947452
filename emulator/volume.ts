import { z } from "zod";
import { requireImage } from "./catalogue.ts";
import {
  type Cloud,
  deleteRow,
  dependents,
  isRepeatedDelete,
  listed,
  live,
  refuseEqualName,
} from "./cloud.ts";
import type { Noun } from "./noun.ts";
import { operation } from "./operation.ts";
import { flag, region, text, withAliases } from "./schema.ts";
import { failureByName, refuseByName } from "./sentinel.ts";
import { startWork } from "./task.ts";
import {
  insertVolume,
  renderListed,
  renderVolume,
  requireIdleVolume,
  requireVolume,
  type Volume,
  volumeState,
  volumeTable,
} from "./volume-table.ts";
import { requireReadyVpc, requireVpc, type Vpc, vpcTable } from "./vpc-table.ts";
import { Refusal } from "./wire.ts";

const path = "/kbs/v1/volumes/{volume}";
/** The tenant is the VPC's KRN, due on every call (contract 8); x-region may be left out by some clients. */
const tenant = z.object({ "k-tenant-id": text, "x-region": region.optional() });
/** Contract 16.1: create, get and delete also come in the seed's form, without the tenant. */
const optionalTenant = tenant.partial({ "k-tenant-id": true });

const metadata = z.record(z.string(), z.string());
const size = z.int().min(1, "must be 1 or more (GB)");
const perSecond = z.int().min(0).optional();

/** Contract 16.1: without a tenant the volume goes to the account's only VPC. */
function tenantVpc(cloud: Cloud, headers: z.output<typeof optionalTenant>): Vpc {
  const krn = headers["k-tenant-id"];
  if (krn !== undefined) return requireReadyVpc(cloud, krn, headers["x-region"]);
  const [only, ...more] = live(cloud, vpcTable(cloud).all());
  if (!only || more.length > 0) throw new Refusal(400, "header k-tenant-id: required");
  return requireReadyVpc(cloud, only.krn, headers["x-region"]);
}

function checkSource(cloud: Cloud, source: NonNullable<Volume["source"]>, place: string): void {
  if (source.type === "image") requireImage(source.id, place);
  if (source.type === "volume") requireVolume(cloud, source.id, { "x-region": place });
  // There are no snapshots: their operations are not built.
  if (source.type === "snapshot") throw new Refusal(404, `snapshot ${source.id} not found`);
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
      size,
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
    refuseEqualName(cloud, volumeTable(cloud).all(), vpc.krn, "volume", body.name);
    if (body.source) checkSource(cloud, body.source, vpc.region);
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
    const answer = { id: volume.krn, status: "creating" };
    const nested = cloud.settings.assume.volumeCreateShape === "nested";
    return { status: 202, body: nested ? { volume: answer } : answer };
  },
});

const getVolume = operation({
  name: "get_volume",
  method: "GET",
  path,
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
    const rows = listed(cloud, volumeTable(cloud).all()).filter((row) => row.parents[0] === vpc.krn);
    return { status: 200, body: renderListed(cloud, rows) };
  },
});

const deleteVolume = operation({
  name: "delete_volume",
  method: "DELETE",
  path,
  section: "8",
  source: "seed",
  headers: optionalTenant,
  query: z.strictObject({ force: flag.optional() }),
  handle(cloud, { headers, query, path: { volume: krn } }) {
    const volume = requireVolume(cloud, krn, headers);
    if (isRepeatedDelete(cloud, volume, "Unable to fetch volume")) return { status: 202 };
    const state = volumeState(cloud, volume, cloud.now, undefined);
    if (state === "creating") throw new Refusal(409, `volume ${volume.name} is ${state}`);
    if (query.force && state !== "error") throw new Refusal(400, "query force: only for a failed volume");
    if (dependents(cloud, krn).length > 0) throw new Refusal(409, `volume ${volume.name} is in use`);
    deleteRow(cloud, volume, cloud.settings.taskMs);
    return { status: 202 };
  },
});

const extendVolume = operation({
  name: "extend_volume",
  method: "POST",
  path: `${path}/action`,
  select: { op: "extend" },
  section: "8",
  source: "client",
  headers: tenant,
  body: z.strictObject({ input: z.strictObject({ newSize: size }) }),
  handle(cloud, { headers, body, path: { volume: krn } }) {
    const volume = requireIdleVolume(cloud, krn, headers);
    const { newSize } = body.input;
    if (newSize <= volume.size)
      throw new Refusal(400, `input.newSize: must be above the present ${volume.size} GB`);
    const work = startWork(cloud.now, cloud.settings.taskMs);
    volume.change = { action: "extend", work, size: newSize };
    volume.lastAction = "extend";
    volume.updatedAt = cloud.now;
    return { status: 202, body: { message: "extend accepted" } };
  },
});

const updateVolume = operation({
  name: "update_volume",
  method: "PUT",
  path,
  section: "8",
  source: "client",
  headers: tenant,
  body: z.strictObject({
    volume: z.strictObject({
      name: text.optional(),
      description: z.string().optional(),
      metadata: metadata.optional(),
    }),
  }),
  handle(cloud, { headers, body, path: { volume: krn } }) {
    const volume = requireIdleVolume(cloud, krn, headers);
    const { name, description, metadata: entries } = body.volume;
    if (name !== undefined) {
      refuseByName(name);
      volume.name = name;
    }
    if (description !== undefined) volume.description = description;
    if (entries !== undefined) volume.metadata = entries;
    volume.lastAction = "update";
    volume.updatedAt = cloud.now;
    return { status: 200, body: renderVolume(cloud, volume) };
  },
});

const changeVolumeType = operation({
  name: "change_volume_type",
  method: "PUT",
  path: `${path}/change_type`,
  section: "8",
  source: "client",
  headers: tenant,
  body: z.strictObject({ volume_type: text }),
  handle(cloud, { headers, body, path: { volume: krn } }) {
    const volume = requireIdleVolume(cloud, krn, headers);
    const work = startWork(cloud.now, cloud.settings.taskMs);
    volume.change = { action: "change_type", work, volumeType: body.volume_type };
    volume.lastAction = "change_type";
    volume.updatedAt = cloud.now;
    return { status: 202, body: { message: "type change accepted" } };
  },
});

const listVolumeTypes = operation({
  name: "list_volume_types",
  method: "GET",
  path: "/kbs/v1/volumes/types",
  section: "8",
  source: "client",
  headers: tenant,
  // Seed and clients disagree about the words, so any is taken on create (contract 8); these are all that occur.
  handle: () => ({
    status: 200,
    body: ["standard", "ssd", "HNSS", "HNSS_Encrypted"].map((name) => ({ name })),
  }),
});

/** Block volumes of a VPC. */
export const volumeNoun: Noun = {
  name: "volume",
  operations: [
    createVolume,
    getVolume,
    listVolumes,
    deleteVolume,
    extendVolume,
    updateVolume,
    changeVolumeType,
    listVolumeTypes,
  ],
};
