import * as z from "zod/mini";
import { CloudError } from "../../provider/core/error.ts";
import { includesIgnoreCase } from "../../provider/core/string.ts";
import type { Api } from "../../provider/definition/api.ts";
import { endpoint, json } from "../../provider/definition/endpoint.ts";
import { idText, maybe, maybeAmount, maybeFlag, maybeText } from "../../provider/definition/validator.ts";
import { runningStatus, stoppedStatuses } from "./instance.ts";

/** AI pods in responses of the API (docs/contract.md#10). The region is in the body, not in a header. */

const noHeader = { region: false } as const;

/** Route that creates a pod. */
export const createPod = endpoint("create", "POST /v1/kpod/pod", z.object({ pod_id: maybe(idText) }), {
  ...noHeader,
  body: json<{
    pod_name: string;
    imageKrn: string | undefined;
    pod_template_id: number | undefined;
    flavor_name: string;
    sshkey_name: string;
    container_disk_size: string | undefined;
    volume_disk_size: string | undefined;
    volume_mount_path: string | undefined;
    expose_http_ports: string | undefined;
    expose_tcp_ports: string | undefined;
    has_encrypt_volume: boolean;
    has_jupyter_notebook: boolean;
    has_ssh_access: boolean;
    region: string;
    environment_variables: { name: string; value: string }[];
    category: "aipod";
  }>(),
});
/** Route that starts, stops or restarts a pod. */
export const controlPod = endpoint("action", "PUT /v1/kpod/pod/{pod}", undefined, {
  ...noHeader,
  body: json<{ action: string }>(),
});
/** Route that deletes a pod. No read confirms the delete, so the response must be one of the API. */
export const deletePod = endpoint(
  "delete",
  "DELETE /v1/kpod/pod/{pod}",
  z.object({ message: z.string() }),
  noHeader,
);

/** Route that reads a pod, which is an assumption. */
export const getPod = endpoint(
  "read",
  "GET /v1/kpod/pod/{pod}",
  z.object({
    pod_name: maybeText,
    pod_template_id: maybeAmount,
    flavor_name: maybeText,
    sshkey_name: maybeText,
    container_disk_size: maybeAmount,
    volume_disk_size: maybeAmount,
    volume_mount_path: maybeText,
    expose_http_ports: maybeText,
    expose_tcp_ports: maybeText,
    has_encrypt_volume: maybeFlag,
    has_jupyter_notebook: maybeFlag,
    has_ssh_access: maybeFlag,
    environment_variables: maybe(z.array(z.object({ name: z.string(), value: z.string() }))),
    status: maybeText,
  }),
  noHeader,
);

/**
 * Reads a pod by its id. Returns undefined if the API does not show the pod, which does not prove that it is deleted
 * (docs/contract.md#17.7).
 */
export async function findPod(api: Api, id: string) {
  try {
    const row = await api.find({ ...getPod, path: api.switches.podReadPath }, { path: { pod: id } });
    // A response without a pod name is not a pod.
    return row?.pod_name === undefined ? undefined : observed(row);
  } catch (error) {
    // The route is an assumption: with a 405 it does not exist.
    if (error instanceof CloudError && error.status === 405) return undefined;
    throw error;
  }
}

const observed = (row: z.infer<NonNullable<typeof getPod.answer>>) => ({
  name: row.pod_name,
  templateId: row.pod_template_id,
  instanceType: row.flavor_name,
  sshkeyName: row.sshkey_name,
  containerDiskSizeGb: row.container_disk_size,
  volumeDiskSizeGb: row.volume_disk_size,
  volumeMountPath: row.volume_mount_path,
  exposeHttpPorts: ports(row.expose_http_ports),
  exposeTcpPorts: ports(row.expose_tcp_ports),
  encryptVolume: row.has_encrypt_volume,
  jupyterNotebook: row.has_jupyter_notebook,
  sshAccess: row.has_ssh_access,
  environmentVariables:
    row.environment_variables &&
    Object.fromEntries(row.environment_variables.map(({ name, value }) => [name, value])),
  powerState: podPower(row.status),
  status: row.status,
});

/** Statuses of a running pod. */
export const podRuns: readonly string[] = [runningStatus, "RUNNING"];

function podPower(status: string | undefined): "running" | "stopped" | undefined {
  if (includesIgnoreCase(podRuns, status)) return "running";
  return includesIgnoreCase(stoppedStatuses, status) ? "stopped" : undefined;
}

const ports = (list: string | undefined): number[] | undefined =>
  list
    ?.split(",")
    .filter((port) => port.trim() !== "")
    .map(Number);

/** Formats ports for a request: `8888,6006`. Empty for no port; undefined for the ports of the template. */
export const portList = (ports: readonly number[] | undefined): string | undefined => ports?.join(",");
