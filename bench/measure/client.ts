import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";
import { Pool } from "undici";
import { interleave, type Measure, median, ratio } from "../measure.ts";
import { root } from "../plugin.ts";

/** Program of an emulator in a process of its own, whose time is part of both sides. */
const server = `
  const { createEmulator } = require(${JSON.stringify(join(root, "dist/emulator.js"))});
  createEmulator({ taskMs: 0 }).listen().then(({ url }) => console.log(url));`;

const gets = 1_000;

/** Returns the median duration in ms of the calls, one after the other. */
async function medianOf(call: () => Promise<unknown>): Promise<number> {
  const samples: number[] = [];
  for (let count = 0; count < gets; count++) {
    const began = performance.now();
    await call();
    samples.push(performance.now() - began);
  }
  return median(samples);
}

/** Duration of a read by the client library, compared with a bare request of the same transport. */
export const client: Measure = {
  name: "client",
  about: "1,000 reads by the client library",
  async run(bench) {
    const child = spawn(process.execPath, ["-e", server], { stdio: ["ignore", "pipe", "inherit"] });
    try {
      const [line] = await once(createInterface(child.stdout), "line");
      const baseUrl = String(line);
      const entry = pathToFileURL(join(root, "dist/client.mjs")).href;
      const { createClient } = (await import(entry)) as typeof import("../../library/client.ts");
      await using library = createClient({
        ...{ baseUrl, apiKey: "emulator-key", region: "In-Bangalore-1", maxRequestsPerSecond: 0 },
      });
      const { task_id: taskId } = await library.vpc.createVpc({ name: "shop" });
      const { vpcId } = await library.vpc.waitUntilCreated({ taskId: taskId ?? "" });
      const created = await library.volume.createVolume({ vpcId, name: "data", size: 1, volumeType: "ssd" });
      const volumeId = created.volume?.id ?? "";
      const pool = new Pool(baseUrl, { connections: 1, pipelining: 1 });
      const path = `/kbs/v1/volumes/${volumeId}`;
      const headers = {
        authorization: "Bearer emulator-key",
        "x-region": "In-Bangalore-1",
        "k-tenant-id": vpcId,
      };
      const bare = async () => (await pool.request({ method: "GET", path, headers })).body.json();
      const read = () => library.volume.getVolume({ vpcId, volumeId });
      const rounds = bench.rounds(9);
      bench.step(`${rounds} rounds of ${gets} reads`);
      await Promise.all([medianOf(bare), medianOf(read)]);
      const samples = await interleave(rounds, { bare: () => medianOf(bare), client: () => medianOf(read) });
      await pool.close();
      bench.report(
        { what: "client: bare request", unit: "ms", samples: samples.bare },
        { what: "client: read by the client library", unit: "ms", samples: samples.client },
        {
          what: "client: ratio of the two",
          unit: "×",
          samples: ratio(samples.client, samples.bare),
          goal: 1.5,
        },
      );
    } finally {
      child.kill();
    }
  },
};
