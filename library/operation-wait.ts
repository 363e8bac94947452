import { FailedError, type Problem } from "../provider/core/error.ts";
import { isRecord, type Value, type Values } from "../provider/core/value.ts";
import type { InstanceWait, VolumeWait, Waiters } from "./method.ts";
import type { WaitOptions } from "./option.ts";

/** Table of the operations whose object can be waited for, each with its waiter. */

type Arguments = { readonly [name: string]: unknown };

/** Call whose object is waited for. */
export interface WaitCall {
  readonly waiters: Waiters;
  /** Checked arguments of the call, with their defaults. */
  readonly inputs: Values;
  readonly region: string;
  /** Calls the operation of a name, which reads, and returns its response. */
  readonly read: (name: string, args: Arguments) => Promise<unknown>;
}

/** Returns the options of a waiter, with the time that is left. */
type Options = () => WaitOptions;

/** Wait for one object. */
export interface ObjectWait {
  /** Object in messages: `the volume krn:…`. */
  readonly what: string;
  /** Waits, and returns the arguments of the operation that shows the object. Throws as `waitFor` does. */
  readonly end: (options: Options) => Promise<Arguments>;
}

/** Row of the table. */
export interface OperationWait {
  /** End of the sentence "waits until …". */
  readonly until: string;
  /** Name of the operation whose response shows the object after the wait; undefined for a deleted object. */
  readonly shows?: string;
  /** Returns the problem of arguments without an object to wait for. */
  readonly problem?: (inputs: Values) => Problem | undefined;
  /** Reads facts that the wait needs, before the request of the call is sent. Default: none. */
  readonly before?: (call: WaitCall) => Promise<Arguments>;
  /**
   * Returns the wait for the object that the response, in any form, or the arguments name; undefined if they name none. `facts` are those that
   * `before` has read.
   */
  readonly start: (call: WaitCall, response: unknown, facts: Arguments) => ObjectWait | undefined;
}

/** Returns the text or number at a path of a response as text: `textAt(response, "volume", "id")`. */
function textAt(response: unknown, ...path: readonly string[]): string | undefined {
  let part = response as Value | undefined;
  for (const name of path) part = isRecord(part) ? part[name] : undefined;
  return (typeof part === "string" && part !== "") || typeof part === "number" ? String(part) : undefined;
}

/** Returns the argument of a name, which is a required text. */
const textOf = ({ inputs }: WaitCall, name: string): string => String(inputs[name]);

/** Returns a wait, and the arguments of the operation that shows its object. */
const waitOn = (
  what: string,
  shown: Arguments,
  wait: (options: WaitOptions) => Promise<unknown>,
): ObjectWait => ({
  what,
  async end(options) {
    await wait(options());
    return shown;
  },
});

/** Returns the wait for a volume. The default volume is that of the arguments. */
function onVolume(
  call: WaitCall,
  wait: (volume: VolumeWait, options: WaitOptions) => Promise<unknown>,
  volumeId = textOf(call, "volumeId"),
): ObjectWait {
  const at = { vpcId: textOf(call, "vpcId"), volumeId };
  return waitOn(`the volume ${volumeId}`, at, (options) => wait({ ...at, region: call.region }, options));
}

/** Returns the wait for a volume that a response names. */
const onNewVolume = (call: WaitCall, volumeId: string | undefined): ObjectWait | undefined =>
  volumeId === undefined
    ? undefined
    : onVolume(call, (volume, options) => call.waiters.volume.waitUntilAvailable(volume, options), volumeId);

/** Instance of a wait, with its boot volume as far as the API shows it. */
type OneInstance = InstanceWait & { readonly volumeId: string | undefined };

/** Returns the row of an operation on an instance, which a read before the request shows: a listing of its VPC has its status. */
const onInstance = (
  wait: (call: WaitCall, instance: OneInstance, options: Options) => Promise<unknown>,
): Pick<OperationWait, "before" | "start"> => ({
  async before({ inputs, read }) {
    const instance = await read("get_instance", { instanceKrn: inputs.instanceKrn });
    const vpcId = textAt(instance, "vpcId") ?? textAt(instance, "project_krn");
    if (vpcId === undefined) throw new FailedError("the API does not show the VPC of the instance");
    return { vpcId, volumeId: textAt(instance, "volume_krn") };
  },
  start(call, _, facts) {
    const at = { instanceKrn: textOf(call, "instanceKrn") };
    const vpcId = String(facts.vpcId);
    const volumeId = typeof facts.volumeId === "string" ? facts.volumeId : undefined;
    return {
      what: `the instance ${at.instanceKrn}`,
      async end(options) {
        await wait(call, { ...at, vpcId, volumeId, region: call.region }, options);
        return at;
      },
    };
  },
});

const deletedInstance: OperationWait = {
  until: "no listing shows the instance and, with --delete-volume, its boot volume",
  ...onInstance(async ({ waiters, inputs }, { volumeId, ...instance }, options) => {
    await waiters.instance.waitUntilDeleted(instance, options());
    // The boot volume is deleted after the instance, and its VPC cannot be deleted before it (docs/contract.md#2.1).
    if (inputs.deleteVolume !== true || volumeId === undefined) return;
    await waiters.volume.waitUntilDeleted({ ...instance, volumeId }, options());
  }),
};

const finishedDocument: OperationWait = {
  until: "the job is done",
  shows: "get_document_status",
  start({ waiters }, response) {
    const fileId = textAt(response, "data", "file_id");
    if (fileId === undefined) return undefined;
    return waitOn(`the document job ${fileId}`, { fileId }, (options) =>
      waiters.document.waitUntilDone({ fileId }, options),
    );
  },
};

/** Waits by the name of the operation. */
export const operationWaits: { readonly [operation: string]: OperationWait } = {
  create_vpc: {
    until: "the VPC exists with its network and its subnet",
    // The response of `get_vpc` lacks the ID of the VPC (docs/contract.md#2.1).
    shows: "get_vpc_task_status",
    start({ waiters, region }, response) {
      const taskId = textAt(response, "task_id");
      if (taskId === undefined) return undefined;
      return waitOn(`the VPC of the task ${taskId}`, { taskId }, (options) =>
        waiters.vpc.waitUntilCreated({ taskId, region }, options),
      );
    },
  },
  delete_vpc: {
    until: "no listing shows the VPC",
    start(call) {
      const vpcId = textOf(call, "vpcId");
      return waitOn(`the VPC ${vpcId}`, {}, (options) =>
        call.waiters.vpc.waitUntilDeleted({ vpcId, region: call.region }, options),
      );
    },
  },
  create_instance: {
    until: "the instance runs",
    shows: "get_instance",
    problem: ({ count }) =>
      count === 1
        ? undefined
        : { path: ["count"], problem: "must be 1 for a wait, which is for one instance" },
    start(call, response) {
      const taskId = textAt(response, "task_id");
      if (taskId === undefined) return undefined;
      const at = { vpcId: textOf(call, "vpcId"), taskId, region: call.region };
      return {
        what: `the instance of the task ${taskId}`,
        async end(options) {
          const { instanceKrn } = await call.waiters.instance.waitUntilActive(at, options());
          return { instanceKrn };
        },
      };
    },
  },
  create_instance_sync: {
    until: "the instance runs",
    shows: "get_instance",
    start(call, response) {
      const instanceKrn = textAt(response, "instance_krn");
      if (instanceKrn === undefined) return undefined;
      const at = { vpcId: textOf(call, "vpcId"), instanceKrn, region: call.region };
      return waitOn(`the instance ${instanceKrn}`, { instanceKrn }, (options) =>
        call.waiters.instance.waitUntilActive(at, options),
      );
    },
  },
  delete_instance: {
    ...deletedInstance,
    problem: ({ instanceKrn }) =>
      instanceKrn === undefined
        ? {
            path: ["instanceKrn"],
            problem:
              "is required for a wait: the VPC of a task, whose listing shows the instance, is not known",
          }
        : undefined,
  },
  delete_instance_sync: deletedInstance,
  control_instance: {
    until: "the instance runs or is stopped",
    shows: "get_instance",
    problem: ({ action }) =>
      action === "reboot"
        ? {
            path: ["action"],
            problem: "must be start or stop for a wait: no status shows that a reboot is done",
          }
        : undefined,
    ...onInstance(({ waiters, inputs }, { volumeId: _, ...instance }, options) =>
      inputs.action === "stop"
        ? waiters.instance.waitUntilStopped(instance, options())
        : waiters.instance.waitUntilActive(instance, options()),
    ),
  },
  create_volume: {
    until: "the volume is available",
    shows: "get_volume",
    start: (call, response) => onNewVolume(call, textAt(response, "volume", "id") ?? textAt(response, "id")),
  },
  restore_backup: {
    until: "the new volume is available",
    shows: "get_volume",
    problem: ({ volumeId }) =>
      volumeId === undefined
        ? undefined
        : {
            path: ["volumeId"],
            problem: "conflicts with a wait: no status shows that the content of a volume is replaced",
          },
    start: (call, response) => onNewVolume(call, textAt(response, "volume_id")),
  },
  delete_volume: {
    until: "the volume is no longer found",
    start: (call) =>
      onVolume(call, (volume, options) => call.waiters.volume.waitUntilDeleted(volume, options)),
  },
  attach_volume: {
    until: "the volume is attached to the instance",
    shows: "get_volume",
    start: (call) =>
      onVolume(call, (volume, options) =>
        call.waiters.volume.waitUntilAttached({ ...volume, instanceId: textOf(call, "instanceId") }, options),
      ),
  },
  detach_volume: {
    until: "the volume is no longer attached to the instance",
    shows: "get_volume",
    start: (call) =>
      onVolume(call, (volume, options) =>
        call.waiters.volume.waitUntilDetached({ ...volume, instanceId: textOf(call, "instanceId") }, options),
      ),
  },
  create_pod: {
    until: "the pod runs",
    shows: "get_pod",
    start({ waiters }, response) {
      const podId = textAt(response, "pod_id");
      if (podId === undefined) return undefined;
      return waitOn(`the AI pod ${podId}`, { podId }, (options) =>
        waiters.aiPod.waitUntilStatus({ podId }, options),
      );
    },
  },
  extract_document_text: finishedDocument,
  extract_document_information: finishedDocument,
  summarize_document: finishedDocument,
  mask_document: finishedDocument,
};
