import * as z from "zod";
import { requireSshKey } from "../compute/ssh-key.ts";
import { failureByName, refuseByName } from "../fault/sentinel.ts";
import { Refusal } from "../http/wire.ts";
import {
  type Cloud,
  deleteResource,
  isRepeatedDelete,
  newResource,
  refuseDuplicateName,
} from "../model/cloud.ts";
import { requireImage } from "../model/image.ts";
import { operation } from "../model/operation.ts";
import { startPowerAction } from "../model/power.ts";
import type { ResourceKind } from "../model/resource-kind.ts";
import { region, text, withAliases } from "../model/schema.ts";
import { startWork } from "../state/work.ts";
import { requirePodFlavor, requirePodTemplate } from "./ai-pod-catalogue.ts";
import { podIdOf, podModel, podStatus, renderPod, requirePod } from "./ai-pod-model.ts";

const podPath = "/v1/kpod/pod/{pod}";

const gigabytes = z.string().regex(/^\d{1,6}$/, "must be a whole number of GB as text");
const isPort = (text: string) => /^\d{1,5}$/.test(text) && Number(text) >= 1 && Number(text) <= 65_535;
const ports = z.string().refine((list) => list === "" || list.split(",").every(isPort), {
  error: "must be ports from 1 to 65535 with commas between them, as text",
});

/** Create body with the names of the seed document and of the wire (docs/contract.md#16.1). */
const podBody = withAliases(
  {
    podName: "pod_name",
    instanceType: "flavor_name",
    sshKeyName: "sshkey_name",
    volumeSize: "volume_disk_size",
    x_region: "region",
  },
  z.strictObject({
    pod_name: text.regex(/^[A-Za-z0-9_-]{1,32}$/, "must be 1 to 32 letters, digits, _ and -"),
    pod_template_id: z.int().optional(),
    imageKrn: text.optional(),
    flavor_name: text,
    sshkey_name: z.string().default(""),
    container_disk_size: gigabytes.optional(),
    volume_disk_size: gigabytes.optional(),
    volume_mount_path: z.string().optional(),
    expose_http_ports: ports.optional(),
    expose_tcp_ports: ports.optional(),
    has_encrypt_volume: z.boolean().default(false),
    has_jupyter_notebook: z.boolean().default(false),
    has_ssh_access: z.boolean().default(false),
    region,
    environment_variables: z.array(z.strictObject({ name: text, value: z.string() })).optional(),
    category: z.literal("aipod", "must be aipod").default("aipod"),
  }),
);

const templatedFields = [
  "container_disk_size",
  "volume_disk_size",
  "volume_mount_path",
  "expose_http_ports",
  "expose_tcp_ports",
] as const;

/** Returns the template's values for fields that a create omits (docs/contract.md#10). */
function templated({ pod_template_id: id }: z.output<typeof podBody>): Record<string, unknown> {
  if (id === undefined) return { expose_http_ports: "", expose_tcp_ports: "" };
  const template = requirePodTemplate(id);
  return Object.fromEntries(templatedFields.map((name) => [name, template[name]]));
}

/** Validates the references of a create. */
function checkPodBody(cloud: Cloud, body: z.output<typeof podBody>): void {
  const { pod_template_id: template, imageKrn } = body;
  if ((template === undefined) === (imageKrn === undefined))
    throw new Refusal(400, "pod_template_id: it or imageKrn is required, not both");
  if (body.environment_variables === undefined && cloud.decide("podNeedsEnvironment"))
    throw new Refusal(400, "environment_variables: required");
  if (imageKrn !== undefined) requireImage(cloud, imageKrn, body.region);
  requirePodFlavor(body.flavor_name);
  if (body.sshkey_name !== "") requireSshKey(cloud, body.sshkey_name, body.region);
  else if (body.has_ssh_access) throw new Refusal(400, "sshkey_name: required with has_ssh_access");
}

const createPod = operation({
  name: "create_pod",
  method: "POST",
  path: "/v1/kpod/pod",
  section: "10",
  source: "seed",
  body: podBody,
  handle(cloud, { body }) {
    refuseByName(body.pod_name);
    checkPodBody(cloud, body);
    refuseDuplicateName(cloud, podModel(cloud).all(), body.region, "pod", body.pod_name);
    const pod = podModel(cloud).insert({
      ...newResource(cloud, "kpod", "kpod", body.region),
      name: body.pod_name,
      parents: [],
      work: startWork(cloud.now, cloud.settings.taskMs, failureByName(body.pod_name)),
      fields: { ...templated(body), ...body, environment_variables: body.environment_variables ?? [] },
      running: true,
    });
    return { status: 201, body: { message: "pod creation accepted", pod_id: podIdOf(cloud, pod) } };
  },
});

const updatePod = operation({
  name: "update_pod",
  method: "PUT",
  path: podPath,
  section: "10",
  source: "seed",
  body: z.strictObject({ action: z.enum(["start", "stop", "restart"]) }),
  handle(cloud, { body: { action }, path: { pod: id } }) {
    const pod = requirePod(cloud, id);
    const status = podStatus(pod, cloud.now);
    startPowerAction(cloud, pod, action, { what: `pod ${pod.name}`, status });
    return { status: 200, body: { message: `${action} accepted`, status: "success" } };
  },
});

const deletePod = operation({
  name: "delete_pod",
  method: "DELETE",
  path: podPath,
  section: "10",
  source: "seed",
  handle(cloud, { path: { pod: id } }) {
    const pod = requirePod(cloud, id);
    const repeated = isRepeatedDelete(cloud, pod, `pod ${id} not found`);
    if (!repeated) deleteResource(cloud, pod, cloud.settings.taskMs);
    return { status: 200, body: { message: "pod deletion accepted" } };
  },
});

const getPod = operation({
  name: "get_pod",
  method: "GET",
  path: podPath,
  section: "10",
  source: "assumption",
  handle(cloud, { path: { pod: id } }) {
    const { podRead } = cloud.settings.assume;
    if (podRead === 404) throw new Refusal(404, `no operation of the contract is GET /v1/kpod/pod/${id}`);
    if (podRead === 405) throw new Refusal(405, "GET is not allowed here; PUT, DELETE is");
    return { status: 200, body: renderPod(cloud, requirePod(cloud, id)) };
  },
});

/** AI pods. */
export const aiPodKind: ResourceKind = {
  name: "ai_pod",
  operations: [createPod, updatePod, deletePod, getPod],
};
