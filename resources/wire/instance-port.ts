import { CloudError } from "../../provider/core/error.ts";
import type { Api } from "../../provider/definition/api.ts";
import { getInstance } from "./instance.ts";
import { putGroups } from "./port.ts";

/**
 * Replaces the security groups of all network ports of an instance, the only network property that can change
 * (docs/contract.md#6). Reads the ports first, since the stored ones may be outdated. Throws `CloudError` if the response
 * contains none.
 */
export async function setGroups(api: Api, instance: string, groups: readonly string[]): Promise<void> {
  const { network_ports: ports = [] } = await api.send(getInstance, { query: { krn: instance } });
  if (ports.length === 0) {
    const route = `${getInstance.method} ${getInstance.path}`;
    throw new CloudError({ failure: "unreadable", route, reason: "it shows no network port" });
  }
  for (const { krn } of ports)
    await api.send(putGroups, { path: { port: krn }, body: { security_groups: groups } });
}
