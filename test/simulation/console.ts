import type { Emulator } from "../../emulator/emulator.ts";
import { origin, region } from "./scenario.ts";
import { secrets } from "./secret.ts";

/** Sends a request of another user of the account, without the simulated network and its faults. */
function send(
  emulator: Emulator,
  method: string,
  path: string,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): void {
  void emulator.exchange({
    method,
    url: new URL(path, origin),
    headers: { authorization: `Bearer ${secrets.apiKey}`, "x-region": region, ...headers },
    body: new TextEncoder().encode(JSON.stringify(body)),
  });
}

/** Creates a VPC, or a volume in the VPC with this KRN, as another user of the account. */
export function foreign(emulator: Emulator, vpc: string | undefined): void {
  const inside = { name: "theirs", size: 1, volumetype: "ssd", availability_zone: "nova" };
  const alone = { vpc: { name: "theirs" }, network: { name: "theirs" }, subnet: {} };
  if (vpc === undefined) send(emulator, "POST", "/v1/highlvlvpc/create_vpc_async", alone);
  else send(emulator, "POST", "/kbs/v1/volumes", inside, { "k-tenant-id": vpc });
}

/** Starts or stops a pod. */
export const switchPod = (emulator: Emulator, krn: string, action: "start" | "stop"): void =>
  send(emulator, "PUT", `/v1/kpod/pod/${krn}`, { action });
