import * as z from "zod/mini";
import { mayBeSameId } from "../provider/core/krn.ts";
import { endpoint } from "../provider/definition/endpoint.ts";
import { computed, field, group } from "../provider/definition/field.ts";
import { defineResource } from "../provider/definition/resource.ts";
import { base64Text, maybeText, text, wholeNumber } from "../provider/definition/validator.ts";
import { groupList, groupsBeside } from "./fields/group-list.ts";
import { diesWithIt, existingStays, oneBoot, oneUserData } from "./fields/instance-rule.ts";
import { powerFields, stoppedRestart, switchPower } from "./fields/power.ts";
import { sentText } from "./fields/user-data.ts";
import { withParts } from "./wire/dependents.ts";
import {
  controlInstance,
  createBody,
  deletedBy,
  deleteInstance,
  failedWords,
  filled,
  getInstance,
  isReady,
  observed,
  pendingWords,
  readyWords,
  taskState,
  taskWire,
} from "./wire/instance.ts";
import { listInstances } from "./wire/instance-list.ts";
import { setGroups } from "./wire/instance-port.ts";

const settled = "This is settled when an instance is made; what its boot volume holds is lost with it.";
const unseen = { unreadable: true, replaceReason: settled } as const;
const sealed = { ...unseen, secret: true } as const;
const atFirstStart = { ...sealed, meaning: "first start" } as const;
const flag = z._default(z.boolean(), false);

export const instance = defineResource({
  name: "instance",
  about: "A virtual machine in a subnet of a VPC.",
  holdsData: (values) => (diesWithIt(values) ? "What its boot volume holds is lost with it." : undefined),
  interrupts: true,
  publicAddress: "floatingIpAddress",
  timeouts: { create: 1_200, read: 120, update: 600, delete: 1_200 },
  parents: ["vpcId"],
  fields: {
    vpcId: field(z.string(), "VPC it stands in.", { references: "vpc", replaceReason: settled }),
    name: field(text, "Name of the instance.", {
      replaceReason: "The cloud cannot rename an instance; what its boot volume holds is lost with it.",
    }),
    instanceType: field(text, "Size of the machine, by the name that the account offers it under.", {
      replaceReason: "The cloud cannot resize an instance; what its boot volume holds is lost with it.",
    }),
    subnetId: field(z.string(), "Subnet it has its address in.", {
      references: "subnet",
      same: mayBeSameId,
      replaceReason: settled,
    }),
    sshkeyName: field(text, "SSH key that opens it, by name.", { replaceReason: settled }),
    securityGroups: field(groupList, "Security groups of its network ports, all of them.", {
      unordered: true,
      change: "update",
    }),
    bootVolume: group(
      {
        imageKrn: field(text, "Image that it is filled with.", { ...unseen, references: "image" }),
        name: field(z.optional(text), "Name of the volume. Default: the instance's and -volume.", unseen),
        sizeGb: field(wholeNumber(1), "Size in GB.", unseen),
        volumeType: field(text, "Kind of storage, as the account offers it.", {
          ...unseen,
          known: ["standard", "ssd", "HNSS", "HNSS_Encrypted"],
        }),
      },
      "A new volume to boot from, unless it boots from an existing one.",
      { optional: true, unreadable: true, replaceReason: settled },
    ),
    volumeId: field(
      z.optional(z.string()),
      "An existing volume to boot from, unless it boots from a new one.",
      {
        references: "volume",
        unreadable: true,
        importFallback: "bootVolumeId",
        replaceReason: "An instance cannot boot from another volume; the volume itself stays.",
      },
    ),
    deleteOnTermination: field(
      z.optional(z.boolean()),
      "Whether its boot volume is deleted with it. Default: a new one is, an existing one never.",
      { change: "update", unreadable: true, meaning: "discards data" },
    ),
    floatingIp: field(flag, "Whether it gets a public address.", unseen),
    userData: field(z.optional(z.string()), "What it runs at its first start, as plain text.", atFirstStart),
    userDataBase64: field(z.optional(base64Text), "The same, already encoded as base64.", atFirstStart),
    tags: field(z.optional(z.record(z.string(), z.string())), "Labels.", { replaceReason: settled }),
    portId: field(z.optional(z.string()), "Its network port: an existing one, or by default a new one.", {
      references: "port",
      computed: true,
      same: mayBeSameId,
      replaceReason: settled,
    }),
    isGpu: field(flag, "Whether its type has a GPU.", unseen),
    easydeployType: field(z.optional(text), "Ready-made deployment to start it with.", unseen),
    gatewayPassword: field(z.optional(text), "Password of that deployment's gateway.", sealed),
    modelName: field(z.optional(text), "Model that the deployment serves.", unseen),
    modelApiKey: field(z.optional(text), "API key that the deployment gets its model with.", sealed),
    ...powerFields,
    status: computed(z.string(), "Where it stands, in the cloud's word.", { changesWith: ["powerState"] }),
    failureReason: computed(z.string(), "What went wrong with it, in the cloud's words."),
    taskId: computed(z.string(), "Task that made it."),
    bootVolumeId: computed(z.string(), "Volume it boots from."),
    ipAddress: computed(z.string(), "Its address in the subnet."),
    floatingIpAddress: computed(z.string(), "Its public address."),
    floatingIpId: computed(z.string(), "Identifier of that address."),
    networkId: computed(z.string(), "Network of its subnet."),
    networkPorts: computed(
      z.array(
        z.object({
          krn: z.string(),
          fixedIp: z.optional(z.string()),
          floatingIp: z.optional(z.string()),
        }),
      ),
      "Its network ports, each with its addresses.",
    ),
    batchId: computed(z.string(), "Batch that it was made in."),
    deleteProtectionStatus: computed(z.string(), "Whether its deletion is refused."),
    createdAt: computed(z.string(), "When it was made."),
  },
  rules: [
    { needs: ["bootVolume", "volumeId"], check: oneBoot },
    { needs: ["volumeId", "deleteOnTermination"], check: existingStays },
    { needs: ["userData", "userDataBase64"], check: oneUserData },
    groupsBeside("vpcId", "the VPC"),
  ],
  lifecycle: {
    field: "status",
    ready: readyWords,
    pending: pendingWords,
    failed: failedWords,
    gone: ["deleted", "terminated"],
    shows: ["networkPorts"],
    reason: "failureReason",
  },
})({
  list: ({ api, region, vpcId }) => listInstances(api, region, vpcId),
  // Rows may omit the network ports, which a single read then shows (docs/contract.md#6).
  whole(row, remembered) {
    const seen = filled(row, remembered);
    return isReady(seen.status) && !seen.networkPorts?.length ? undefined : seen;
  },

  async create({ api, region, inputs }) {
    const { userData, userDataBase64, ...rest } = inputs;
    const sent = userData === undefined ? userDataBase64 : sentText(api, userData);
    const body = createBody({ ...rest, region, encoded: sent, deleteVolume: diesWithIt(inputs) });
    return { task: (await api.send(routes.create, { body }))?.task_id };
  },

  async task({ api, task }) {
    return taskState(await api.send(routes.task, { query: { task_id: task } }));
  },

  async read({ api, id, vpcId, region, remembered }) {
    // An instance that failed early in its create has no KRN: only the search shows it.
    const row = id.startsWith("krn:") ? await api.find(getInstance, { query: { krn: id } }) : undefined;
    return row && filled(observed(row, vpcId, region), remembered);
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
    await api.send(deleteInstance, { query: { ...deletedBy(id), deleteVolume: diesWithIt(prior) } });
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
