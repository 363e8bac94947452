import * as z from "zod/mini";
import { computed, field } from "../provider/definition/field.ts";
import { defineResource, type Opening } from "../provider/definition/resource.ts";
import { text, wholeNumber } from "../provider/definition/validator.ts";
import { powerFields, stoppedRestart, switchPower } from "./fields/power.ts";
import { controlPod, createPod, deletePod, findPod, portList } from "./wire/ai-pod.ts";

const settled = "This is settled when a pod is made; what its disks hold is lost with it.";
const fixed = { replaceReason: settled } as const;
/** Options of fields that a template sets if the user omits them (docs/contract.md#10). */
const templated = { computed: true, ...fixed } as const;
/** Traffic that the cloud leads to a pod from any address. */
const toAnybody = (port: number, service: string): Opening => ({
  direction: "ingress",
  protocol: "tcp",
  firstPort: port,
  lastPort: port,
  range: "0.0.0.0/0",
  service,
});
const flag = z._default(z.boolean(), false);
const ports = z.optional(z.array(z.number().check(z.int(), z.minimum(1), z.maximum(65_535))));
// Up to 32 letters, digits, underscores and hyphens (docs/contract.md#10).
const podName = z
  .string()
  .check(
    z.refine((name) => /^[\w-]{1,32}$/.test(name), { error: "must be 1 to 32 letters, digits, _ or -" }),
  );

export const aiPod = defineResource({
  name: "ai-pod",
  about: "A container on GPUs. The cloud may not show it: then what is done to it outside is not noticed.",
  holdsData: "What its disks hold is lost with it.",
  interrupts: true,
  opens: ({ exposeHttpPorts = [], exposeTcpPorts = [], jupyterNotebook, sshAccess }) => [
    ...exposeHttpPorts.map((port) => toAnybody(port, `port ${port} by HTTP`)),
    ...exposeTcpPorts.map((port) => toAnybody(port, `port ${port} by TCP`)),
    ...(jupyterNotebook ? [toAnybody(8888, "a Jupyter notebook")] : []),
    ...(sshAccess ? [toAnybody(22, "SSH")] : []),
  ],
  timeouts: { create: 600, read: 120, update: 600, delete: 600 },
  // A new pod is running (docs/contract.md#10).
  notReadable: { powerState: "running" },
  // No source documents the statuses: only those of a power action delay the end of a change (docs/contract.md#1.7).
  transition: { field: "status", statuses: ["starting", "stopping", "restarting", "rebooting"] },
  fields: {
    name: field(podName, "Name of the pod.", fixed),
    imageKrn: field(z.optional(text), "Image that it runs, unless a template says so.", {
      references: "image",
      unreadable: true,
      ...fixed,
    }),
    templateId: field(
      z.optional(wholeNumber(1)),
      "Template that says what it runs, by its number in the catalogue, unless an image does.",
      fixed,
    ),
    instanceType: field(text, "Size of the pod, by the name that the account offers it under.", fixed),
    sshkeyName: field(text, "SSH key that opens it, by name.", fixed),
    containerDiskSizeGb: field(z.optional(wholeNumber(1)), "Size of its own disk in GB.", templated),
    volumeDiskSizeGb: field(wholeNumber(1), "Size of the volume that outlives a restart, in GB.", fixed),
    volumeMountPath: field(z.optional(text), "Where the volume is mounted.", templated),
    exposeHttpPorts: field(ports, "Ports that are reached by HTTP.", { unordered: true, ...templated }),
    exposeTcpPorts: field(ports, "Ports that are reached by TCP.", { unordered: true, ...templated }),
    encryptVolume: field(flag, "Whether the volume is encrypted.", {
      meaning: "encrypts",
      ...fixed,
    }),
    jupyterNotebook: field(flag, "Whether it runs a Jupyter notebook.", fixed),
    sshAccess: field(flag, "Whether it is reached by SSH.", fixed),
    environmentVariables: field(
      z.optional(z.record(z.string(), z.string())),
      "What its processes find in their environment, passwords and keys among it.",
      { secret: true, ...fixed },
    ),
    ...powerFields,
    status: computed(z.string(), "Where it stands, in the cloud's word, where the cloud shows it.", {
      changesWith: ["powerState", "restartWhenChanged"],
    }),
  },
  rules: [
    {
      needs: ["imageKrn", "templateId"],
      check({ imageKrn, templateId }) {
        if (imageKrn === undefined && templateId === undefined)
          return { path: ["templateId"], problem: "is required where no image is given" };
        return imageKrn !== undefined && templateId !== undefined
          ? { path: ["templateId"], problem: "cannot stand beside an image: it runs one of both" }
          : undefined;
      },
    },
  ],
})({
  async create({ api, region, inputs }) {
    const size = (gb: number | undefined) => (gb === undefined ? undefined : String(gb));
    const { pod_id } = await api.send(createPod, {
      body: {
        pod_name: inputs.name,
        imageKrn: inputs.imageKrn,
        pod_template_id: inputs.templateId,
        flavor_name: inputs.instanceType,
        sshkey_name: inputs.sshkeyName,
        container_disk_size: size(inputs.containerDiskSizeGb),
        volume_disk_size: size(inputs.volumeDiskSizeGb),
        volume_mount_path: inputs.volumeMountPath,
        expose_http_ports: portList(inputs.exposeHttpPorts),
        expose_tcp_ports: portList(inputs.exposeTcpPorts),
        has_encrypt_volume: inputs.encryptVolume,
        has_jupyter_notebook: inputs.jupyterNotebook,
        has_ssh_access: inputs.sshAccess,
        region,
        // The API rejects a create without this field (docs/contract.md#16).
        environment_variables: Object.entries(inputs.environmentVariables ?? {}).map(([name, value]) => ({
          name,
          value,
        })),
        category: "aipod",
      },
    });
    return { id: pod_id };
  },

  async read({ api, id, region, remembered }) {
    const seen = await findPod(api, id);
    const shown = Object.entries(seen ?? {}).filter(([, value]) => value !== undefined);
    // No source documents the fields of a read: a field that the response omits keeps its stored value.
    return seen && { ...seen, ...remembered, ...Object.fromEntries(shown), region };
  },

  async update({ api, id, ...change }) {
    await switchPower(change, (action) => api.send(controlPod, { path: { pod: id }, body: { action } }));
  },

  changeBlocked: stoppedRestart,

  async delete({ api, id }) {
    await api.send(deletePod, { path: { pod: id } });
  },
});
