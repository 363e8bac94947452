import * as z from "zod/mini";
import { endpoint } from "../../provider/definition/endpoint.ts";
import { field } from "../../provider/definition/field.ts";
import {
  maybe,
  maybeFlag,
  maybeNumber,
  maybeText,
  text,
  wholeNumber,
} from "../../provider/definition/validator.ts";
import { controlPod, createPod, deletePod, getPod } from "../../resources/wire/ai-pod.ts";
import { operation } from "../operation.ts";
import {
  flagOf,
  messageFields,
  optionalNumber,
  optionalText,
  requiredText,
  workFields,
} from "../parameter.ts";

const section = "10";
const noHeader = { region: false } as const;
const podId = requiredText("ID of the pod: its KRN, or `pod_id` of the response to its creation.");
const ports = (about: string) => field(z.optional(z.array(wholeNumber(1).check(z.maximum(65_535)))), about);
const listOf = (numbers: readonly number[] | undefined) => numbers?.join(",");
const sizeOf = (gb: number | undefined) => (gb === undefined ? undefined : String(gb));

/** Parameters and request of an operation on a pod. */
const ofPod = {
  parameters: { podId },
  request: (at: { readonly podId: string }) => ({ path: { pod: at.podId } }),
};

const template = z.object({
  ID: maybeNumber,
  template_name: maybeText,
  description: maybeText,
  template_type: maybeText,
  supported_services: maybe(z.array(z.string())),
  container_disk_size: maybeText,
  volume_disk_size: maybeText,
  volume_mount_path: maybeText,
  expose_http_ports: maybeText,
  expose_tcp_ports: maybeText,
  environment_variables: maybeText,
  enable_ssh: maybeFlag,
  enable_jupyter: maybeFlag,
  require_model_source: maybeFlag,
});
const rows = z.array(z.record(z.string(), z.unknown()));

/** Operations of AI pods and of their catalogue. */
export const aiPod = {
  createPod: operation(createPod, {
    section,
    about: "Creates an AI pod from an image or from a template of the catalogue.",
    regional: true,
    parameters: {
      podName: field(
        z.string().check(
          z.refine((name) => /^[\w-]{1,32}$/.test(name), {
            error: "must have 1 to 32 letters, digits, _ and -",
          }),
        ),
        "Name of the pod: 1 to 32 letters, digits, `_` or `-`.",
      ),
      imageKrn: field(z.optional(text), "ID of the image that the pod runs.", { references: "image" }),
      podTemplateId: optionalNumber("Number of the template that the pod runs, in place of an image.", 1),
      instanceType: requiredText("Name of the instance type, which `listPodFlavors` lists."),
      sshkeyName: field(z._default(z.string(), ""), "Name of the SSH key; required with `sshAccess`."),
      containerDiskSize: optionalNumber("Size of the disk of the container in GB.", 1),
      volumeSize: optionalNumber("Size of the volume in GB.", 1),
      volumeMountPath: optionalText("Path of the volume in the container."),
      exposeHttpPorts: ports("Ports that are reachable by HTTP."),
      exposeTcpPorts: ports("Ports that are reachable by TCP."),
      encryptVolume: flagOf("If true, the volume is encrypted."),
      jupyterNotebook: flagOf("If true, a notebook server is started."),
      sshAccess: flagOf("If true, the pod is reachable by SSH."),
      environmentVariables: field(
        z._default(z.record(z.string(), z.string()), {}),
        "Environment variables of the container.",
        { secret: true },
      ),
    },
    alternatives: [["imageKrn"], ["podTemplateId"]],
    request: (pod, { region }) => ({
      body: {
        pod_name: pod.podName,
        imageKrn: pod.imageKrn,
        pod_template_id: pod.podTemplateId,
        flavor_name: pod.instanceType,
        sshkey_name: pod.sshkeyName,
        container_disk_size: sizeOf(pod.containerDiskSize),
        volume_disk_size: sizeOf(pod.volumeSize),
        volume_mount_path: pod.volumeMountPath,
        expose_http_ports: listOf(pod.exposeHttpPorts),
        expose_tcp_ports: listOf(pod.exposeTcpPorts),
        has_encrypt_volume: pod.encryptVolume,
        has_jupyter_notebook: pod.jupyterNotebook,
        has_ssh_access: pod.sshAccess,
        region,
        // The API rejects a create without this field (docs/contract.md#16).
        environment_variables: Object.entries(pod.environmentVariables).map(([name, value]) => ({
          name,
          value,
        })),
        category: "aipod",
      },
    }),
    also: messageFields,
  }),
  updatePod: operation(controlPod, {
    section,
    about: "Starts, stops or restarts a pod.",
    parameters: { podId, action: field(z.enum(["start", "stop", "restart"]), "Action on the pod.") },
    request: ({ podId, action }) => ({ path: { pod: podId }, body: { action } }),
    also: workFields,
  }),
  deletePod: operation(deletePod, {
    section,
    about: "Deletes a pod.",
    ...ofPod,
  }),
  getPod: operation(getPod, {
    section,
    about: "Returns a pod, by a route that is an assumption.",
    ...ofPod,
    path: (_, { switches }) => switches.podReadPath,
  }),
  listPodTemplates: operation(endpoint("read", "GET /v1/kpod/podtemplate", z.array(template), noHeader), {
    section,
    about: "Lists the templates of the catalogue.",
    listing: { rows: [] },
  }),
  listPodFlavors: operation(endpoint("read", "GET /api/v1/flavor/kpod", rows, noHeader), {
    section,
    about: "Lists the instance types of pods.",
    listing: { rows: [] },
  }),
  listGpuResources: operation(endpoint("read", "GET /v2/kpod/gpuresource", rows, noHeader), {
    section,
    about: "Lists the GPUs of the catalogue.",
    listing: { rows: [] },
  }),
  listSandboxTemplates: operation(
    endpoint("read", "GET /omni/sandbox/v1/template", z.array(template), noHeader),
    { section, about: "Lists the templates of pods and sandboxes.", listing: { rows: [] } },
  ),
};
