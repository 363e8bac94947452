import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { expect, test } from "@jest/globals";
import { ensureEngine } from "../../tools/engines/engine.ts";
import { withSite } from "../support/engine/site.ts";
import { configure, required, succeed } from "../support/engine/terraform.ts";
import { environment } from "./lifecycle/lifecycle.ts";

/** Many objects in one configuration with the real engines: tests the number of requests, not the duration. */

const volumes = 1_000;
const machines = 500;
/** Instances per page of the search (docs/contract.md#17.2). */
const page = 100;
/** Time in ms for which reads share one listing. */
const listingMs = 5_000;

/** Returns a local value. An engine would evaluate an expression in `for_each` again for every object. */
const names = (count: number) => `\${{ for number in range(${count}) : tostring(number) => number }}`;
const vpc_id = "${kcloud_vpc.net.id}";

const configuration = (address: string) => ({
  terraform: { ...required.terraform, backend: { http: { address } } },
  locals: { volumes: names(volumes), machines: names(machines) },
  resource: {
    kcloud_vpc: { net: { name: "net" } },
    kcloud_subnet: { rack: { vpc_id, name: "rack", cidr: "10.0.0.0/16" } },
    kcloud_security_group: { rack: { vpc_id, name: "rack" } },
    kcloud_volume: {
      data: {
        for_each: "${local.volumes}",
        vpc_id,
        name: "data-${each.key}",
        size_gb: 1,
        volume_type: "ssd",
      },
    },
    kcloud_instance: {
      machine: {
        for_each: "${local.machines}",
        vpc_id,
        name: "machine-${each.key}",
        subnet_id: "${kcloud_subnet.rack.id}",
        instance_type: "c1.small",
        sshkey_name: "demo-key",
        security_groups: ["${kcloud_security_group.rack.id}"],
        boot_volume: {
          image_krn: "krn:vm:In-Bangalore-1:default:default:image:00000000-0000-4000-8000-000000000101",
          size_gb: 10,
          volume_type: "ssd",
        },
      },
    },
  },
});

/** Starts an HTTP backend for one state: with a state file, an engine writes and compares the whole file after every object. */
async function openStateBackend() {
  let state: Buffer | undefined;
  const server = createServer(async (request, response) => {
    const { method } = request;
    if (method === "GET") return response.writeHead(state === undefined ? 404 : 200).end(state);
    if (method === "POST") state = await buffer(request);
    return response.end();
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as AddressInfo;
  return { address: `http://127.0.0.1:${port}/`, close: () => server.close() };
}

const engines = [await ensureEngine("terraform"), await ensureEngine("opentofu")];

test.each(engines.map((engine) => [engine.name, engine] as const))(
  `%s creates ${volumes} volumes and ${machines} instances, refreshes them with few listings, and destroys them`,
  (_, engine) =>
    withSite({ taskMs: 0 }, async ({ emulator, url, open }) => {
      const backend = await openStateBackend();
      const folder = await open(engine, environment(url));
      const counts = () => {
        const found = Object.groupBy(emulator.inventory.peek(), ({ kind }) => kind);
        return [found.volume?.length, found.instance?.length];
      };
      /**
       * Runs a command that must succeed. Returns the calls of each operation, and the number of consecutive listings that fit
       * into the duration, since reads share a listing for `listingMs`.
       */
      const run = async (...args: string[]) => {
        emulator.log.clear();
        const began = performance.now();
        await succeed(folder, args);
        const rounds = 1 + Math.floor((performance.now() - began) / listingMs);
        return { asked: emulator.log.counts(), rounds };
      };
      try {
        await configure(folder, configuration(backend.address));
        await run("init");
        const { asked: made } = await run("apply", "-auto-approve");
        expect([made.create_volume, made.create_instance]).toEqual([volumes, machines]);
        // Each instance has a separate boot volume.
        expect(counts()).toEqual([volumes + machines, machines]);

        // The exit code is 2 if there is a change.
        const { asked, rounds } = await run("plan", "-detailed-exitcode");
        const { list_volumes = 0, search_instances = 0, ...rest } = asked;
        // One read for the VPC itself and one for its subnets.
        expect(rest).toEqual({ get_vpc: 2, list_security_groups: 1 });
        expect(list_volumes).toBeLessThanOrEqual(rounds);
        expect(search_instances).toBeLessThanOrEqual(rounds * (machines / page));

        const { asked: gone } = await run("destroy", "-auto-approve");
        expect([gone.delete_volume, gone.delete_instance]).toEqual([volumes, machines]);
        expect(emulator.inventory.list()).toEqual([]);
      } finally {
        backend.close();
      }
    }),
);
