import * as z from "zod/mini";
import { CloudError, FailedError, isConflict, isNotFound } from "../provider/core/error.ts";
import type { Values } from "../provider/core/value.ts";
import { attributeCode, lookupCode, wording } from "../provider/core/wording.ts";
import type { Api } from "../provider/definition/api.ts";
import { computed, field, group } from "../provider/definition/field.ts";
import { defineResource } from "../provider/definition/resource.ts";
import { described } from "../provider/definition/shape.ts";
import { flag, text, wholeNumber } from "../provider/definition/validator.ts";
import { deploymentFields } from "./fields/deployment.ts";
import { groupList, groupsInRegionOf } from "./fields/group-list.ts";
import { deletesBootVolume, keepExistingVolume, oneBoot, oneUserData } from "./fields/instance-rule.ts";
import { unreadable } from "./fields/option.ts";
import { powerFields, stoppedRestart, switchPower } from "./fields/power.ts";
import { sentText, userDataFields } from "./fields/user-data.ts";
import { withParts } from "./wire/dependents.ts";
import {
  bootVolumeName,
  controlInstance,
  createBody,
  deletedBy,
  deleteInstance,
  failedStatuses,
  filled,
  getInstance,
  hasBootVolumeSize,
  isReady,
  observed,
  pendingStatuses,
  readyStatuses,
  instanceRoutes as routes,
  taskState,
} from "./wire/instance.ts";
import { listInstances } from "./wire/instance-list.ts";
import { setGroups } from "./wire/instance-port.ts";
import { putGroups } from "./wire/port.ts";
import { extendVolume, getVolume, growOnly, sizeOf, tenant } from "./wire/volume.ts";

const atFirstStart = { ...unreadable, secret: true, meaning: "first start" } as const;

export const instance = defineResource({
  name: "instance",
  category: "compute",
  about: "A virtual machine in a subnet of a VPC.",
  holdsData: {
    text: "The data on the boot volume is destroyed.",
    when: (values) => deletesBootVolume(values),
    unless: "the volume is kept",
  },
  deletesToo: [
    {
      kind: "volume",
      ids: (values, after) => (after === undefined && deletesBootVolume(values) ? [values.bootVolumeId] : []),
    },
    {
      kind: "floating-ip",
      ids: ({ floatingIp, floatingIpId }, after) =>
        after === undefined && floatingIp === true ? [floatingIpId] : [],
    },
  ],
  interrupts: true,
  sharedList: { list: "securityGroups", of: ["networkPorts", "portId"], kind: "port", setBy: "change" },
  publicAddress: "floatingIpAddress",
  timeouts: { create: 1_200, read: 120, update: 600, delete: 1_200 },
  parents: ["vpcId"],
  fields: {
    vpcId: field(z.string(), "ID of the VPC that contains the instance.", { references: "vpc" }),
    name: field(text, "Name of the instance."),
    instanceType: field(
      text,
      wording`Name of the instance type, as listed by ${lookupCode("instance-types")}.`,
    ),
    subnetId: field(z.string(), "ID of the subnet that provides the IP address of the instance.", {
      references: "subnet",
    }),
    sshkeyName: field(text, "Name of the SSH key whose owner can sign in to the instance."),
    securityGroups: field(groupList, "IDs of all security groups of the instance's network ports.", {
      references: "security-group",
      unordered: true,
      change: "update",
      usage: "At least one.",
    }),
    bootVolume: group(
      {
        imageKrn: field(
          text,
          wording`KRN of the image of the volume, as listed by ${lookupCode("images")}.`,
          {
            ...unreadable,
            references: "image",
          },
        ),
        name: field(
          z.optional(text),
          "Name of the volume. Default: the name of the instance followed by `-volume`.",
          {
            ...unreadable,
            wire: {
              of: (configured: string | undefined, { name }: Values) =>
                configured ?? bootVolumeName(String(name)),
            },
          },
        ),
        sizeGb: field(wholeNumber(1), "Size of the volume in GB.", {
          change: growOnly,
          shownBy: "bootVolumeSizeGb",
          usage:
            "Can be increased in place, but not decreased. The file system in the instance grows only when it is extended there.",
        }),
        volumeType: field(text, "Storage type of the volume.", {
          ...unreadable,
          known: ["standard", "ssd", "HNSS", "HNSS_Encrypted"],
        }),
      },
      wording`New boot volume, created from an image. Exactly one of this and ${attributeCode("volumeId")} is required.`,
      { optional: true, unreadable: true },
    ),
    volumeId: field(
      z.optional(z.string()),
      wording`ID of an existing boot volume, which is kept when the instance is deleted. Conflicts with ${attributeCode("bootVolume")}.`,
      {
        references: "volume",
        unreadable: true,
        importFallback: ({ bootVolumeId }) => bootVolumeId,
      },
    ),
    deleteOnTermination: field(
      z.optional(z.boolean()),
      wording`If true, the boot volume is deleted with the instance. Default: \`true\` with ${attributeCode("bootVolume")}, \`false\` with ${attributeCode("volumeId")}.`,
      { change: "update", unreadable: true, meaning: "discards data" },
    ),
    floatingIp: field(flag, "If true, the instance is created with a floating IP.", {
      ...unreadable,
      importFallback: ({ floatingIpAddress }) => Boolean(floatingIpAddress),
    }),
    ...userDataFields(atFirstStart),
    tags: field(z.optional(z.record(z.string(), z.string())), "Tags of the instance, as keys and values."),
    portId: field(z.optional(z.string()), "ID of the network port of the instance.", {
      references: "port",
      computed: true,
      usage: "Default: a new port.",
    }),
    isGpu: field(flag, "True for an instance type with a GPU.", unreadable),
    ...deploymentFields,
    ...powerFields,
    status: computed(z.string(), "Status reported by the API, such as `ACTIVE`.", {
      changesWith: ["powerState"],
    }),
    failureReason: computed(z.string(), "Reason of a failure, as reported by the API."),
    taskId: computed(z.string(), "ID of the task that created the instance."),
    bootVolumeId: computed(z.string(), "ID of the boot volume."),
    bootVolumeSizeGb: computed(z.int(), "Size of the boot volume in GB.", { changesWith: ["bootVolume"] }),
    ipAddress: computed(z.string(), "IP address of the instance in its subnet."),
    floatingIpAddress: computed(z.string(), "Public address of the floating IP of the instance."),
    floatingIpId: computed(z.string(), "ID of the floating IP of the instance."),
    networkId: computed(z.string(), "ID of the network of the subnet."),
    networkPorts: computed(
      z.array(
        z.object({
          krn: described(z.string(), "KRN of the port."),
          fixedIp: described(z.optional(z.string()), "IP address of the port in its subnet."),
          floatingIp: described(z.optional(z.string()), "Public address of the floating IP on the port."),
        }),
      ),
      "Network ports of the instance.",
    ),
    batchId: computed(z.string(), "ID of the batch that contains the instance."),
    deleteProtectionStatus: computed(
      z.string(),
      "Deletion protection of the instance, as reported by the API.",
    ),
    createdAt: computed(z.string(), "Creation time, as reported by the API."),
  },
  rules: [
    { needs: ["bootVolume", "volumeId"], check: oneBoot },
    { needs: ["volumeId", "deleteOnTermination"], check: keepExistingVolume },
    { needs: ["userData", "userDataBase64"], check: oneUserData },
    groupsInRegionOf("vpcId", "the VPC"),
  ],
  lifecycle: {
    field: "status",
    ready: readyStatuses,
    pending: pendingStatuses,
    failed: failedStatuses,
    gone: ["deleted", "terminated"],
    shows: ["networkPorts"],
    reason: "failureReason",
  },
})({
  list: ({ api, region, vpcId }) => listInstances(api, region, vpcId),
  // Rows may lack the network ports, which a single read then shows (docs/contract.md#6).
  whole(row, recorded) {
    const state = filled(row, recorded);
    if (isReady(state.status) && !state.networkPorts?.length) return undefined;
    return !isReady(state.status) || hasBootVolumeSize(state, recorded) ? state : undefined;
  },

  async create({ api, region, inputs }) {
    const { userData, userDataBase64, ...rest } = inputs;
    const sent = userData ? sentText(api, userData) : userDataBase64;
    const body = createBody({ ...rest, region, encoded: sent, deleteVolume: deletesBootVolume(inputs) });
    return { task: (await api.send(routes.create, { body }))?.task_id };
  },

  async task({ api, task }) {
    return taskState(await api.send(routes.task, { query: { task_id: task } }));
  },

  async read({ api, id, vpcId, region, recorded }) {
    // An instance that failed early in its create has no KRN: only the listing shows it.
    const row = id.startsWith("krn:") ? await api.find(getInstance, { query: { krn: id } }) : undefined;
    const state = row && filled(observed(row, vpcId, region), recorded);
    if (state?.bootVolumeId === undefined || !isReady(state.status) || hasBootVolumeSize(state, recorded))
      return state;
    const volume = await api.find(getVolume, {
      path: { volume: state.bootVolumeId },
      headers: tenant(vpcId),
    });
    const bootVolumeSizeGb = (volume && sizeOf(volume)) ?? state.bootVolumeSizeGb;
    return { ...state, bootVolume: { sizeGb: bootVolumeSizeGb }, bootVolumeSizeGb };
  },

  async update({ api, id, ...change }) {
    if (change.changed.has("securityGroups")) {
      const { securityGroups } = await change.current(putGroups);
      await setGroups(api, id, securityGroups);
    }
    if (change.changed.has("bootVolume")) await extendBootVolume(api, change);
    await switchPower(change, (action) =>
      api.send(controlInstance, {
        path: { instance: id },
        body: { action: action === "restart" ? "reboot" : action },
      }),
    );
  },

  changeBlocked: stoppedRestart,

  conflicts: ({ api, region, inputs }) => withParts({ ...inputs, api, region }),

  async delete({ api, id, prior }) {
    await api.send(deleteInstance, { query: { ...deletedBy(id), deleteVolume: deletesBootVolume(prior) } });
  },
});

interface SizeChange {
  readonly vpcId: string;
  readonly inputs: { readonly bootVolume?: { readonly sizeGb: number } | undefined };
  readonly prior: { readonly bootVolumeId?: string | undefined };
}

/**
 * Extends the boot volume, unless it already has the size: an earlier attempt may have extended it. Throws `FailedError` if the
 * API refuses to extend a boot volume; no source states that it extends one (docs/contract.md#8).
 */
async function extendBootVolume(api: Api, { vpcId, inputs, prior }: SizeChange): Promise<void> {
  const wanted = inputs.bootVolume?.sizeGb;
  if (wanted === undefined) return;
  const id = prior.bootVolumeId;
  if (id === undefined)
    throw new FailedError("the ID of the boot volume is not known", { remedies: ["refresh", "run-again"] });
  const volume = await api.find(getVolume, { path: { volume: id }, headers: tenant(vpcId) });
  const size = volume && sizeOf(volume);
  if (size !== undefined && size > wanted)
    throw new FailedError(`the boot volume has ${size} GB now and cannot shrink`, {
      remedies: ["match-configuration"],
    });
  if (size === wanted) return;
  try {
    await extendVolume(api, { vpcId, volume: id, newSize: wanted });
  } catch (error) {
    if (!isRefused(error)) throw error;
    throw new FailedError(wording`the API refused to extend the boot volume (${error.reason})`, {
      remedies: ["replace", "restore-size"],
    });
  }
}

/** Returns true for a rejection that a later attempt would get too. */
const isRefused = (error: unknown): error is CloudError =>
  error instanceof CloudError && error.failure === "rejected" && !isConflict(error) && !isNotFound(error);
