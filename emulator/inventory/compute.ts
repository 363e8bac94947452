import * as z from "zod";
import type { Template } from "../compute/instance-template-model.ts";
import type { SshKey } from "../compute/ssh-key.ts";
import type { Image } from "../model/image.ts";
import type { Instance } from "../model/instance.ts";
import type { InstanceType } from "../model/instance-type.ts";
import { isRunningAt } from "../model/power.ts";
import { derivedUuid, form, reference } from "./form.ts";

const sshKey = form<SshKey>()(
  "ssh_key",
  { publicKey: z.string() },
  { load: ({ publicKey }) => ({ parents: [], publicKey }), save: ({ publicKey }) => ({ publicKey }) },
);

const image = form<Image>()("image", {}, { load: () => ({ parents: [], taskId: null }), save: () => ({}) });

const instanceType = form<InstanceType>()(
  "instance_type",
  {
    cpus: z.int().min(1).default(1),
    memory: z.number().min(0).default(1).describe("GB"),
    cost: z.number().min(0).default(1).describe("Per hour"),
    type: z.enum(["CPU", "GPU"]).default("CPU"),
  },
  {
    load: (fields) => ({ parents: [], ...fields }),
    save: ({ cpus, memory, cost, type }) => ({ cpus, memory, cost, type }),
  },
);

const instance = form<Instance>()(
  "instance",
  {
    vpc: reference("vpc"),
    subnet: reference("subnet"),
    port: reference("port"),
    bootVolume: reference("volume"),
    attachmentId: z.guid().optional().describe("UUID of the boot volume's attachment. Default: derived"),
    taskId: z.string().optional().describe("Task of its create. Default: derived from the KRN"),
    instanceType: z.string().min(1),
    image: z.string().nullable().default(null).describe("KRN of the image; null for a boot from a volume"),
    sshKey: z.strictObject({ name: z.string(), uuid: z.string() }),
    deleteOnTermination: z.boolean().default(true),
    deleteProtection: z.boolean().default(false),
    userData: z.string().default(""),
    tags: z.array(z.strictObject({ key: z.string(), value: z.string() })).default([]),
    gpu: z.boolean().default(false),
    batch: z.string().nullable().default(null).describe("Id of the batch that created it"),
    running: z.boolean().default(true),
    failedStep: z.enum(["volume", "boot"]).default("boot").describe("Step at which a failed creation failed"),
  },
  {
    load({ vpc, subnet, port, bootVolume, attachmentId, taskId, ...row }, { krn, createdAt, row: find }) {
      const size = find(bootVolume)?.size;
      const { instanceType: flavor, gpu: isGpu, batch: batchId, ...fields } = row;
      return {
        ...fields,
        ...{ flavor, isGpu, batchId, parents: [vpc, subnet], uses: [bootVolume], portKrn: port },
        volume: {
          krn: bootVolume,
          size: typeof size === "number" ? size : 0,
          attachmentId: attachmentId ?? derivedUuid(krn, "attachment"),
        },
        tasks: [{ id: taskId ?? derivedUuid(krn, "task"), work: { startsAt: createdAt, endsAt: createdAt } }],
      };
    },
    save: ({ parents: [vpc = "", subnet = ""], volume, portKrn, ...instance }, time) => ({
      ...{ vpc, subnet, port: portKrn, bootVolume: volume.krn, attachmentId: volume.attachmentId },
      taskId: instance.tasks[0]?.id,
      ...{ instanceType: instance.flavor, image: instance.image, sshKey: instance.sshKey },
      ...{ deleteOnTermination: instance.deleteOnTermination, deleteProtection: instance.deleteProtection },
      ...{ userData: instance.userData, tags: [...instance.tags], gpu: instance.isGpu },
      ...{ batch: instance.batchId, running: isRunningAt(instance, time), failedStep: instance.failedStep },
    }),
  },
);

const text = z.string();

/** The names of other objects are those of the template's create; a template may refer to deleted objects. */
const template = form<Template>()(
  "template",
  {
    config: z
      .strictObject({
        ...{ region: text, vpc_id: text, vpc_name: text, network_id: text, network_name: text },
        ...{ subnet_id: text, subnet_name: text },
        ...{ security_groups: z.array(text), security_group_names: z.array(text) },
        ...{ image_krn: text, image_name: text, instanceType: text, isGpu: z.boolean(), sshkey_name: text },
        ...{ user_data: text, volume_name: text, volume_size: z.int(), volumetype: text },
      })
      .describe("Configuration with the names of the API"),
  },
  {
    load: ({ config }) => ({ parents: [], config }),
    save: ({ config: { security_groups, security_group_names, ...config } }) => ({
      config: {
        ...config,
        security_groups: [...security_groups],
        security_group_names: [...security_group_names],
      },
    }),
  },
);

export const computeForms = [sshKey, image, instanceType, instance, template];
