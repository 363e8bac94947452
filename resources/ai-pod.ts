import * as z from "zod/mini";
import { attribute, attributeCode, wording } from "../provider/core/wording.ts";
import { computed, field } from "../provider/definition/field.ts";
import { defineResource, type Opening } from "../provider/definition/resource.ts";
import { flag, text, wholeNumber } from "../provider/definition/validator.ts";
import { powerFields, stoppedRestart, switchPower } from "./fields/power.ts";
import { controlPod, createPod, deletePod, findPod, portList } from "./wire/ai-pod.ts";

/** Options of fields that a template sets if the user omits them (docs/contract.md#10). */
const templated = { computed: true, usage: "Default: set by the template." } as const;
/** Returns the traffic that the cloud routes to a pod from any address. */
const publicPort = (port: number, service: string): Opening => ({
  direction: "ingress",
  protocol: "tcp",
  firstPort: port,
  lastPort: port,
  range: "0.0.0.0/0",
  service,
});
const ports = z.optional(z.array(z.number().check(z.int(), z.minimum(1), z.maximum(65_535))));
// Up to 32 letters, digits, underscores and hyphens (docs/contract.md#10).
const podName = z
  .string()
  .check(
    z.refine((name) => /^[\w-]{1,32}$/.test(name), { error: "must be 1 to 32 letters, digits, _ or -" }),
  );

export const aiPod = defineResource({
  name: "ai-pod",
  category: "ai",
  about: "A container with GPUs (AI pod). While the API does not return the pod, drift is not detected.",
  holdsData: "The data on the disks of the pod is destroyed.",
  interrupts: true,
  opens: ({ exposeHttpPorts = [], exposeTcpPorts = [], jupyterNotebook, sshAccess }) => [
    ...exposeHttpPorts.map((port) => publicPort(port, `port ${port} by HTTP`)),
    ...exposeTcpPorts.map((port) => publicPort(port, `port ${port} by TCP`)),
    ...(jupyterNotebook ? [publicPort(8888, "a Jupyter notebook")] : []),
    ...(sshAccess ? [publicPort(22, "SSH")] : []),
  ],
  timeouts: { create: 600, read: 120, update: 600, delete: 600 },
  // A new pod is running (docs/contract.md#10).
  visibility: { unreadable: { powerState: "running" } },
  // The statuses are not documented: only those of a power action delay the end of a change (docs/contract.md#1.7).
  transition: { field: "status", statuses: ["starting", "stopping", "restarting", "rebooting"] },
  fields: {
    name: field(podName, "Name of the pod: 1 to 32 letters, digits, `_` or `-`."),
    imageKrn: field(
      z.optional(text),
      wording`KRN of the image that the pod runs. Exactly one of this and ${attributeCode("templateId")} is required.`,
      { references: "image", unreadable: true },
    ),
    templateId: field(z.optional(wholeNumber(1)), "Number of the catalog template that the pod runs.", {
      usage: wording`Conflicts with ${attributeCode("imageKrn")}.`,
    }),
    instanceType: field(text, "Name of the instance type of the pod, as offered to the account."),
    sshkeyName: field(text, "Name of the SSH key whose owner can sign in to the pod."),
    containerDiskSizeGb: field(z.optional(wholeNumber(1)), "Size of the container disk in GB.", templated),
    volumeDiskSizeGb: field(wholeNumber(1), "Size in GB of the volume, whose data survives a restart."),
    volumeMountPath: field(z.optional(text), "Mount path of the volume, such as `/workspace`.", templated),
    exposeHttpPorts: field(ports, "Ports that are publicly reachable over HTTP, such as `[8080]`.", {
      unordered: true,
      ...templated,
    }),
    exposeTcpPorts: field(ports, "Ports that are publicly reachable over TCP, such as `[5432]`.", {
      unordered: true,
      ...templated,
    }),
    encryptVolume: field(flag, "If true, the volume is encrypted.", { meaning: "encrypts" }),
    jupyterNotebook: field(flag, "If true, the pod runs a Jupyter notebook that is publicly reachable."),
    sshAccess: field(flag, "If true, the pod is publicly reachable over SSH."),
    environmentVariables: field(
      z.optional(z.record(z.string(), z.string())),
      "Environment variables of the container. The values are secret.",
      { secret: true },
    ),
    ...powerFields,
    status: computed(z.string(), "Status reported by the API, if the API returns the pod.", {
      changesWith: ["powerState", "restartWhenChanged"],
    }),
  },
  rules: [
    {
      needs: ["imageKrn", "templateId"],
      check({ imageKrn, templateId }) {
        if (imageKrn === undefined && templateId === undefined)
          return {
            path: [],
            problem: wording`${attribute("imageKrn")} or ${attribute("templateId")} is required`,
          };
        return imageKrn !== undefined && templateId !== undefined
          ? {
              path: ["templateId"],
              problem: wording`conflicts with ${attribute("imageKrn")}: set only one of them`,
            }
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

  async read({ api, id, region, recorded }) {
    const pod = await findPod(api, id);
    const shown = Object.entries(pod ?? {}).filter(([, value]) => value !== undefined);
    // The fields of a read are not documented: a field that the response omits keeps its stored value.
    return pod && { ...pod, ...recorded, ...Object.fromEntries(shown), region };
  },

  async update({ api, id, ...change }) {
    await switchPower(change, (action) => api.send(controlPod, { path: { pod: id }, body: { action } }));
  },

  changeBlocked: stoppedRestart,

  async delete({ api, id }) {
    await api.send(deletePod, { path: { pod: id } });
  },
});
