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

async function readVolume(
  api: Api,
  at: VolumeWait & { readonly region: string },
  what: string,
): Promise<Read<string>> {
  const row = await api.find(getVolume, { path: { volume: at.volumeId }, headers: tenant(at.vpcId) });
  if (row === undefined) return "missing";
  const { status, reason } = observed(row, at.vpcId, at.region);
  if (includesIgnoreCase(volumeStatuses.gone, status)) return "missing";
  if (status !== undefined && isFailure(status)) throw failed(what, status, reason);
  return includesIgnoreCase(volumeStatuses.ready, status) ? { done: status } : { pending: status };
}

/** Returns the instance of a wait among those of its VPC; "missing" if none is listed. Throws `FailedError` for a failed one. */
async function readInstance(
  api: Api,
  region: string,
  at: InstanceWait,
  statuses: readonly string[],
): Promise<Read<FoundInstance>> {
  const rows = await listInstances(api, region, at.vpcId);
  const row = rows.find(({ id, name, task }) =>
    at.instanceKrn !== undefined
      ? matchesMasked(id, at.instanceKrn)
      : at.taskId !== undefined && task !== undefined
        ? task === at.taskId
        : name === at.instanceName,
  );
  if (row === undefined || includesIgnoreCase(["deleted", "terminated"], row.status)) return "missing";
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

/** Throws `InputError` if an instance is not named. */
function requireName({ instanceKrn, instanceName, taskId }: InstanceWait): void {
  if ([instanceKrn, instanceName, taskId].some((name) => name !== undefined)) return;
  const problem = "set the ID, the name, or the task of the instance";
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
            async read(api) {
              const found = await readVolume(api, at, what);
              return found !== "missing" && "done" in found ? { pending: found.done } : found;
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
        const { read, ...wait } = instanceWait(at, []);
        await waitUntilGone(
          client,
          {
            ...wait,
            async read(api) {
              const found = await read(api);
              return found !== "missing" && "done" in found ? { pending: found.done.status } : found;
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
