import * as z from "zod/mini";
import { mayBeSameId } from "../provider/core/krn.ts";
import { attributeCode, lookupCode } from "../provider/core/wording.ts";
import { endpoint } from "../provider/definition/endpoint.ts";
import { computed, field, group } from "../provider/definition/field.ts";
import { defineResource } from "../provider/definition/resource.ts";
import { described } from "../provider/definition/shape.ts";
import { maybeText, text, wholeNumber } from "../provider/definition/validator.ts";
import { deploymentFields } from "./fields/deployment.ts";
import { groupList, groupsInRegionOf } from "./fields/group-list.ts";
import { deletesBootVolume, keepExistingVolume, oneBoot, oneUserData } from "./fields/instance-rule.ts";
import { powerFields, stoppedRestart, switchPower } from "./fields/power.ts";
import { sentText, userDataFields } from "./fields/user-data.ts";
import { withParts } from "./wire/dependents.ts";
import {
  controlInstance,
  createBody,
  deletedBy,
  deleteInstance,
  failedStatuses,
  filled,
  getInstance,
  isReady,
  observed,
  pendingStatuses,
  readyStatuses,
  taskState,
  taskWire,
} from "./wire/instance.ts";
import { listInstances } from "./wire/instance-list.ts";
import { setGroups } from "./wire/instance-port.ts";

const unreadable = { unreadable: true } as const;
const atFirstStart = { ...unreadable, secret: true, meaning: "first start" } as const;
const flag = z._default(z.boolean(), false);

export const instance = defineResource({
  name: "instance",
  about: "A virtual machine in a subnet of a VPC.",
  holdsData: {
    text: "The data on the boot volume is destroyed.",
    when: (values) => deletesBootVolume(values),
    unless: "the volume is kept",
  },
  interrupts: true,
  publicAddress: "floatingIpAddress",
  timeouts: { create: 1_200, read: 120, update: 600, delete: 1_200 },
  parents: ["vpcId"],
  fields: {
    vpcId: field(z.string(), "ID of the VPC that contains the instance.", { references: "vpc" }),
    name: field(text, "Name of the instance."),
    instanceType: field(text, `Name of the instance type, as listed by ${lookupCode("instance-types")}.`),
    subnetId: field(z.string(), "ID of the subnet that provides the IP address of the instance.", {
      references: "subnet",
      same: mayBeSameId,
    }),
    sshkeyName: field(text, "Name of the SSH key whose owner can sign in to the instance."),
    securityGroups: field(groupList, "IDs of all security groups of the instance's network ports.", {
      unordered: true,
      change: "update",
      usage: "At least one.",
    }),
    bootVolume: group(
      {
        imageKrn: field(text, `KRN of the image of the volume, as listed by ${lookupCode("images")}.`, {
          ...unreadable,
          references: "image",
        }),
        name: field(
          z.optional(text),
          "Name of the volume. Default: the name of the instance followed by `-volume`.",
          unreadable,
        ),
        sizeGb: field(wholeNumber(1), "Size of the volume in GB.", unreadable),
        volumeType: field(text, "Storage type of the volume.", {
          ...unreadable,
          known: ["standard", "ssd", "HNSS", "HNSS_Encrypted"],
        }),
      },
      `New boot volume, created from an image. Exactly one of this and ${attributeCode("volumeId")} is required.`,
      { optional: true, unreadable: true },
    ),
    volumeId: field(
      z.optional(z.string()),
      `ID of an existing boot volume, which is kept when the instance is deleted. Conflicts with ${attributeCode("bootVolume")}.`,
      { references: "volume", unreadable: true, importFallback: "bootVolumeId" },
    ),
    deleteOnTermination: field(
      z.optional(z.boolean()),
      `If true, the boot volume is deleted with the instance. Default: \`true\` with ${attributeCode("bootVolume")}, \`false\` with ${attributeCode("volumeId")}.`,
      { change: "update", unreadable: true, meaning: "discards data" },
    ),
    floatingIp: field(flag, "If true, the instance is created with a floating IP.", unreadable),
    ...userDataFields(atFirstStart),
    tags: field(z.optional(z.record(z.string(), z.string())), "Tags of the instance, as keys and values."),
    portId: field(z.optional(z.string()), "ID of the network port of the instance.", {
      references: "port",
      computed: true,
      same: mayBeSameId,
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
    const seen = filled(row, recorded);
    return isReady(seen.status) && !seen.networkPorts?.length ? undefined : seen;
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
    return row && filled(observed(row, vpcId, region), recorded);
  },

  async update({ api, id, ...change }) {
    if (change.changed.has("securityGroups")) await setGroups(api, id, change.inputs.securityGroups);
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

const routes = {
  create: endpoint(
    "create",
    "POST /vm/v1/create_instance_async",
    z.optional(z.object({ task_id: maybeText })),
  ),
  task: endpoint("read", "GET /vm/v1/get_instance_task_status", taskWire),
};
