import { CloudError } from "../../provider/core/error.ts";
import type { Api } from "../../provider/definition/api.ts";
import { getInstance } from "./instance.ts";
import { putGroups } from "./port.ts";

/**
 * Gives the network ports of an instance these groups, all of them: the one thing about a machine's network that can
 * change (docs/contract.md#6). Asks which ports it has, since those that are remembered may have changed.
 */
export async function setGroups(api: Api, instance: string, groups: readonly string[]): Promise<void> {
  const { network_ports: ports = [] } = await api.send(getInstance, { query: { krn: instance } });
  if (ports.length === 0) {
    const route = `${getInstance.method} ${getInstance.path}`;
    throw new CloudError({ failure: "unreadable", route, said: "it shows no network port" });
  }
  for (const { krn } of ports)
    await api.send(putGroups, { path: { port: krn }, body: { security_groups: groups } });
}
