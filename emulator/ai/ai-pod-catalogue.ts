import { Refusal } from "../http/wire.ts";
import { operation } from "../model/operation.ts";
import type { ResourceKind } from "../model/resource-kind.ts";

/** Templates of pods and sandboxes in the fields of docs/contract.md#10. */
const podTemplates = [
  {
    ID: 1,
    template_name: "notebook",
    description: "Python with a notebook server",
    template_type: "official",
    supported_services: ["aipod", "sandbox"],
    container_disk_size: "20",
    volume_disk_size: "50",
    volume_mount_path: "/workspace",
    expose_http_ports: "8888",
    expose_tcp_ports: "22",
    environment_variables: "[]",
    enable_ssh: true,
    enable_jupyter: true,
    require_model_source: false,
  },
  {
    ID: 2,
    template_name: "model-server",
    description: "Serves a model over HTTP",
    template_type: "official",
    supported_services: ["endpoint", "aipod"],
    container_disk_size: "40",
    volume_disk_size: "100",
    volume_mount_path: "/models",
    expose_http_ports: "8000",
    expose_tcp_ports: "22",
    environment_variables: "[]",
    enable_ssh: true,
    enable_jupyter: false,
    require_model_source: true,
  },
  {
    ID: 3,
    template_name: "shell",
    description: "A bare shell",
    template_type: "official",
    supported_services: ["sandbox"],
    container_disk_size: "10",
    volume_disk_size: "10",
    volume_mount_path: "/home",
    expose_http_ports: "",
    expose_tcp_ports: "",
    environment_variables: "[]",
    enable_ssh: false,
    enable_jupyter: false,
    require_model_source: false,
  },
] as const;

/** Pod flavors. No source shows the fields of an element (docs/contract.md#10), so these are the fields of an instance type. */
const podFlavors = [
  { flavorname: "p1.small", cpus: 8, cpuram: 32, cost: 40, gpus: 1 },
  { flavorname: "p1.large", cpus: 32, cpuram: 128, cost: 160, gpus: 4 },
].map(({ gpus, ...flavor }, i) => ({
  flavorid: `00000000-0000-4000-8000-00000000040${i + 1}`,
  ...flavor,
  gpus,
  currency: "XXX",
  unit: "hour",
  flavorstatus: "active",
  type: "GPU",
}));

/** Returns the template of a pod; rejects unknown ones and those not for pods. */
export function requirePodTemplate(id: number): (typeof podTemplates)[number] {
  const pods = podTemplates.filter((template) =>
    template.supported_services.some((name) => name === "aipod"),
  );
  const template = pods.find((template) => template.ID === id);
  if (template !== undefined) return template;
  const names = pods.map((template) => template.ID).join(", ");
  throw new Refusal(404, `pod template ${id} not found; there are ${names}`);
}

/** Rejects an unknown pod flavor. */
export function requirePodFlavor(name: string): void {
  if (podFlavors.some(({ flavorname }) => flavorname === name)) return;
  const names = podFlavors.map(({ flavorname }) => flavorname).join(", ");
  throw new Refusal(404, `pod flavor ${name} not found; there are ${names}`);
}

const listPodTemplates = operation({
  name: "list_pod_templates",
  method: "GET",
  path: "/v1/kpod/podtemplate",
  section: "10",
  source: "client",
  handle: () => ({ status: 200, body: podTemplates }),
});

const listPodFlavors = operation({
  name: "list_pod_flavors",
  method: "GET",
  path: "/api/v1/flavor/kpod",
  section: "10",
  source: "client",
  handle: () => ({ status: 200, body: podFlavors }),
});

const listGpuResources = operation({
  name: "list_gpu_resources",
  method: "GET",
  path: "/v2/kpod/gpuresource",
  section: "10",
  source: "client",
  // No source shows the fields of an element.
  handle: () => ({ status: 200, body: [{ name: "gpu", total: 16, available: 16 }] }),
});

const listSandboxTemplates = operation({
  name: "list_sandbox_templates",
  method: "GET",
  path: "/omni/sandbox/v1/template",
  section: "10",
  source: "client",
  // JSON with the content type of plain text (docs/contract.md#10).
  handle: () => ({
    status: 200,
    headers: { "content-type": "text/plain; charset=utf-8" },
    body: podTemplates,
  }),
});

/** Templates, flavors and GPU resources of pods; the same in every region. */
export const aiPodCatalogueKind: ResourceKind = {
  name: "ai_pod_catalogue",
  operations: [listPodTemplates, listPodFlavors, listGpuResources, listSandboxTemplates],
};
