import { areas } from "../operation/operations.ts";
import type { Client } from "../provider/client/client.ts";
import { FailedError, InputError } from "../provider/core/error.ts";
import { fullRegionOf, matchesMasked } from "../provider/core/krn.ts";
import { includesIgnoreCase } from "../provider/core/string.ts";
import type { Api } from "../provider/definition/api.ts";
import { findPod, podRuns } from "../resources/wire/ai-pod.ts";
import { documentStatus, findDocument } from "../resources/wire/document.ts";
import { findTask } from "../resources/wire/inference.ts";
import { failedStatuses, runningStatus, stoppedStatuses } from "../resources/wire/instance.ts";
import { listInstances } from "../resources/wire/instance-list.ts";
import { getVolume, isFailure, observed, tenant, volumeStatuses } from "../resources/wire/volume.ts";
import { readAttachments } from "../resources/wire/volume-attachment.ts";
import { listVpcs, readVpcTask, vpcStatuses } from "../resources/wire/vpc.ts";
import { callOperation } from "./call.ts";
import type { FoundInstance, InstanceWait, VolumeWait, Waiters } from "./method.ts";
import { type Read, waitFor, waitUntilGone } from "./wait.ts";

/** Waiters of the client. They read by the rules of the definitions, so that all known forms of a response are understood. */

/** Returns the error of an object that the API reports as failed. */
const failed = (what: string, status: string, reason?: string | undefined): FailedError =>
  new FailedError(`${what} has failed: ${reason ?? status}`);

/** Returns a volume; "missing" if the API does not show it. */
async function findVolume(api: Api, at: VolumeWait & { readonly region: string }) {
  const row = await api.find(getVolume, { path: { volume: at.volumeId }, headers: tenant(at.vpcId) });
  if (row === undefined) return "missing";
  const volume = observed(row, at.vpcId, at.region);
  return includesIgnoreCase(volumeStatuses.gone, volume.status) ? "missing" : volume;
}

async function readVolume(
  api: Api,
  at: VolumeWait & { readonly region: string },
  what: string,
): Promise<Read<string>> {
  const volume = await findVolume(api, at);
  if (volume === "missing") return volume;
  const { status, reason } = volume;
  if (isFailure(status)) throw failed(what, status, reason);
  return includesIgnoreCase(volumeStatuses.ready, status) ? { done: status } : { pending: status };
}

/**
 * Returns the instance of a wait among those of its VPC; "missing" if none is listed. Throws `FailedError` for a name that several
 * instances have: one of them may be older.
 */
async function findInstance(api: Api, region: string, at: InstanceWait) {
  const rows = await listInstances(api, region, at.vpcId);
  const isWanted = ({ id, name, task }: (typeof rows)[number]) => {
    if (at.instanceKrn !== undefined) return matchesMasked(id, at.instanceKrn);
    return at.taskId === undefined ? name === at.instanceName : task === at.taskId;
  };
  const found = rows.filter(
    (row) => isWanted(row) && !includesIgnoreCase(["deleted", "terminated"], row.status),
  );
  if (found.length > 1)
    throw new FailedError(`${whatOf(at)} is one of ${found.length}: wait for it by its ID`);
  return found[0] ?? "missing";
}

/** Returns an instance with one of the statuses. Throws `FailedError` for a failed one. */
async function readInstance(
  api: Api,
  region: string,
  at: InstanceWait,
  statuses: readonly string[],
): Promise<Read<FoundInstance>> {
  const row = await findInstance(api, region, at);
  if (row === "missing") return row;
  if (includesIgnoreCase(failedStatuses, row.status)) throw failed(whatOf(at), row.status, row.failureReason);
  if (!row.id.startsWith("krn:") || !includesIgnoreCase(statuses, row.status))
    return { pending: row.status || "no status" };
  return {
    done: {
      instanceKrn: row.id,
      status: row.status,
      ipAddress: row.ipAddress,
      floatingIpAddress: row.floatingIpAddress,
      portKrn: row.portId,
      volumeId: row.bootVolumeId,
    },
  };
}

const whatOf = (at: InstanceWait): string =>
  `the instance ${at.instanceKrn ?? at.instanceName ?? `of the task ${at.taskId}`}`;

/** Throws `InputError` for an instance that is not named, or by two names that may be those of different ones. */
function requireName({ instanceKrn, instanceName, taskId }: InstanceWait): void {
  if ([instanceKrn, instanceName, taskId].filter((name) => name !== undefined).length === 1) return;
  const problem = "set either the ID, the name, or the task of the instance";
  throw new InputError([{ path: ["instanceKrn"], problem }]);
}

/** Creates the waiters of a client. */
export function createWaiters(client: Client): Waiters {
  const regionOf = (region: string | undefined, ...ids: readonly (string | undefined)[]): string =>
    region ??
    ids.flatMap((id) => (id === undefined ? [] : (fullRegionOf(id) ?? [])))[0] ??
    client.settings.region ??
    "";
  const ofVolume = (at: VolumeWait) => {
    const region = regionOf(at.region, at.volumeId, at.vpcId);
    const what = `the volume ${at.volumeId}`;
    return { region, what, at: { ...at, region } };
  };
  const instanceWait = (at: InstanceWait, statuses: readonly string[]) => {
    const region = regionOf(at.region, at.vpcId);
    return { region, what: whatOf(at), read: (api: Api) => readInstance(api, region, at, statuses) };
  };
  return {
    vpc: {
      waitUntilCreated: ({ taskId, region }, options) =>
        waitFor(
          client,
          {
            region: regionOf(region),
            what: `the VPC of the task ${taskId}`,
            async read(api) {
              const { status, id, detail = status } = await readVpcTask(api, taskId);
              if (status === "failed") throw failed(`the task ${taskId}`, status, detail);
              return status === "done" && id !== undefined ? { done: { vpcId: id } } : { pending: detail };
            },
          },
          options,
        ),
      waitUntilDeleted({ vpcId, region: requested }, options) {
        const region = regionOf(requested, vpcId);
        return waitUntilGone(
          client,
          {
            region,
            what: `the VPC ${vpcId}`,
            async read(api) {
              const row = (await listVpcs(api, region)).find(({ id }) => matchesMasked(id, vpcId));
              const isGone = row === undefined || includesIgnoreCase(vpcStatuses.gone, row.status);
              return isGone ? "missing" : { pending: row.status };
            },
          },
          options,
        );
      },
    },
    volume: {
      waitUntilAvailable(volume, options) {
        const { region, what, at } = ofVolume(volume);
        return waitFor(client, { region, what, read: (api) => readVolume(api, at, what) }, options);
      },
      waitUntilAttached({ instanceId, ...volume }, options) {
        const { region, what, at } = ofVolume(volume);
        return waitFor(
          client,
          {
            region,
            what: `${what} at the instance ${instanceId}`,
            async read(api) {
              const found = await readAttachments({ api, ...at });
              if (found === undefined) return "missing";
              const id = found.rows.find(
                (row) => row.instanceId !== undefined && matchesMasked(row.instanceId, instanceId),
              )?.remoteAttachmentId;
              return found.isBusy || id === undefined
                ? { pending: "attaching" }
                : { done: { attachmentId: id } };
            },
          },
          options,
        );
      },
      waitUntilDetached({ instanceId, ...volume }, options) {
        const { region, what, at } = ofVolume(volume);
        return waitFor<void>(
          client,
          {
            region,
            what,
            async read(api) {
              const found = await readAttachments({ api, ...at });
              if (found === undefined) return "missing";
              const isAttached = found.rows.some(
                (row) =>
                  instanceId === undefined ||
                  row.instanceId === undefined ||
                  matchesMasked(row.instanceId, instanceId),
              );
              return found.isBusy || isAttached ? { pending: "attached" } : { done: undefined };
            },
          },
          options,
        );
      },
      waitUntilDeleted(volume, options) {
        const { region, what, at } = ofVolume(volume);
        return waitUntilGone(
          client,
          {
            region,
            what,
            // A volume that has failed is deleted, too.
            async read(api) {
              const volume = await findVolume(api, at);
              return volume === "missing" ? volume : { pending: volume.status };
            },
          },
          options,
        );
      },
    },
    instance: {
      async waitUntilActive(at, options) {
        requireName(at);
        return waitFor(client, instanceWait(at, [runningStatus]), options);
      },
      async waitUntilStopped(at, options) {
        requireName(at);
        return waitFor(client, instanceWait(at, stoppedStatuses), options);
      },
      async waitUntilDeleted(at, options) {
        requireName(at);
        const region = regionOf(at.region, at.vpcId);
        await waitUntilGone(
          client,
          {
            region,
            what: whatOf(at),
            async read(api) {
              const instance = await findInstance(api, region, at);
              return instance === "missing" ? instance : { pending: instance.status };
            },
          },
          options,
        );
      },
    },
    aiPod: {
      waitUntilStatus: ({ podId, statuses = podRuns }, options) =>
        waitFor(
          client,
          {
            region: regionOf(undefined, podId),
            what: `the AI pod ${podId}`,
            missing:
              "is not shown: the route that reads pods is an assumption, which the setting podReadPath changes",
            async read(api) {
              const pod = await findPod(api, podId);
              return pod === undefined ? "missing" : awaited(pod.status, statuses);
            },
          },
          options,
        ),
    },
    inference: {
      waitUntilStatus: ({ taskId, statuses }, options) =>
        waitFor(
          client,
          {
            region: regionOf(undefined),
            what: `the inference task ${taskId}`,
            async read(api) {
              const task = await findTask(api, taskId);
              return task === undefined ? "missing" : awaited(task.status, statuses);
            },
          },
          options,
        ),
    },
    document: {
      waitUntilDone: ({ fileId }, options) =>
        waitFor(
          client,
          {
            region: regionOf(undefined),
            what: `the document job ${fileId}`,
            async read(api) {
              const job = await findDocument(api, fileId);
              if (job === undefined) return "missing";
              if (job.status === documentStatus.ready) return { done: { address: job.url } };
              if (job.status === documentStatus.pending) return { pending: job.status };
              throw failed(`the document job ${fileId}`, job.status);
            },
          },
          options,
        ),
    },
    objectSession: {
      waitUntilActive: ({ sessionToken }, options) =>
        waitFor(
          client,
          {
            region: regionOf(undefined),
            what: "the session",
            async read(_, signal) {
              const operation = areas.objectSession?.getSessionStatus;
              if (operation === undefined) throw new TypeError("no such operation");
              const status = await callOperation(client, operation, { sessionToken }, { signal });
              const { isActive } = (status ?? {}) as { readonly isActive?: boolean | null };
              return isActive === false ? { pending: "inactive" } : { done: undefined };
            },
          },
          options,
        ),
    },
  };
}

const awaited = (status: string | undefined, statuses: readonly string[]): Read<string> =>
  status !== undefined && includesIgnoreCase(statuses, status)
    ? { done: status }
    : { pending: status ?? "no status" };
