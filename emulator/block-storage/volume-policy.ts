import * as z from "zod";
import { Refusal } from "../http/wire.ts";
import { type Cloud, isReady } from "../model/cloud.ts";
import { type Operation, operation } from "../model/operation.ts";
import type { ResourceKind } from "../model/resource-kind.ts";
import { text } from "../model/schema.ts";
import type { CopyKind } from "./volume-copy.ts";
import { requireVolume, tenant, type Volume, volumePath, volumeState } from "./volume-model.ts";

const maximum = z.int().min(1, "must be 1 or more");
const schedule = { name: text, cron: text };
const bodies = {
  snapshot: z.strictObject({ ...schedule, max_snapshots_allowed: maximum }),
  backup: z.strictObject({ ...schedule, max_backups_allowed: maximum }),
};

function requireReadyVolume(cloud: Cloud, krn: string, headers: z.output<typeof tenant>): Volume {
  const volume = requireVolume(cloud, krn, headers);
  if (isReady(cloud, volume)) return volume;
  throw new Refusal(409, `volume ${volume.name} is ${volumeState(cloud, volume)}`);
}

/** Declares create and delete of a policy, which the volume stores and returns. The emulator never executes its schedule. */
function policyOperations(kind: CopyKind): Operation[] {
  const path = `${volumePath}/${kind}s/policy` as const;
  const place = { path, section: "8", source: "client", headers: tenant } as const;
  const create = operation({
    name: `create_${kind}_policy`,
    method: "POST",
    ...place,
    body: bodies[kind] as z.ZodType<Record<string, unknown>>,
    handle(cloud, { headers, body, path: { volume: krn } }) {
      const volume = requireReadyVolume(cloud, krn, headers);
      if (volume.policies?.[kind]) throw new Refusal(409, `volume ${volume.name} has a ${kind} policy`);
      volume.policies = { ...volume.policies, [kind]: body };
      volume.updatedAt = cloud.now;
      return { status: 201, body: { message: `${kind} policy created` } };
    },
  });
  const remove = operation({
    name: `delete_${kind}_policy`,
    method: "DELETE",
    ...place,
    handle(cloud, { headers, path: { volume: krn } }) {
      const volume = requireReadyVolume(cloud, krn, headers);
      const { [kind]: policy, ...others } = volume.policies ?? {};
      if (!policy) throw new Refusal(404, `volume ${volume.name} has no ${kind} policy`);
      volume.policies = others;
      volume.updatedAt = cloud.now;
      return { status: 204 };
    },
  });
  return [create, remove];
}

/** Policies of a volume: the schedule of its copies and their maximum number. */
export const volumePolicyKind: ResourceKind = {
  name: "volume_policy",
  operations: [...policyOperations("snapshot"), ...policyOperations("backup")],
};
