import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createEmulator } from "../../emulator/emulator.ts";
import { type Engine, ensureEngine, terraformEngines } from "../../tools/engines/engine.ts";
import type { Stack } from "../adapter/adapter.ts";
import { openProject } from "../support/engine/pulumi.ts";
import { openFolder, succeed, terraformAdapter } from "../support/engine/terraform.ts";
import { storageSettings } from "../support/storage-setting.ts";
import { after, before } from "./change.ts";

/**
 * `node test/review/record.ts`: plans the change of `change.ts` with each real engine and stores the plans in
 * `test/review/fixture/`.
 */

export const fixtureFolder = new URL("./fixture/", import.meta.url).pathname;

/** Runs the work with an emulator and an empty folder, and removes both. */
async function withCloud<T>(
  work: (path: string, settings: Record<string, string>) => Promise<T>,
): Promise<T> {
  const emulator = createEmulator({ taskMs: 50 });
  const server = await emulator.listen();
  const path = await mkdtemp(join(tmpdir(), "kcloud-review-"));
  try {
    return await work(path, {
      SERVICE_BASE_URL: server.url,
      SERVICE_API_KEY: "emulator-key",
      SERVICE_REGION: "In-Bangalore-1",
      SERVICE_MAX_REQUESTS_PER_SECOND: "0",
      ...storageSettings(server.url),
    });
  } finally {
    await server.close();
    await rm(path, { recursive: true, force: true });
  }
}

/** Returns the plan of a change in Terraform's JSON format. */
export const terraformPlan = (engine: Engine, from: Stack, to: Stack): Promise<string> =>
  withCloud(async (path, settings) => {
    const workspace = await terraformAdapter(engine).open(path, settings);
    await workspace.write(from);
    const applied = await workspace.apply();
    if (!applied.ok) throw new Error(applied.output);
    await workspace.write(to);
    await workspace.plan();
    return succeed(await openFolder(engine, path, settings), ["show", "-json", "planned"]);
  });

/** Returns the preview of a change: the digest and the event log. */
export const pulumiPreview = (
  engine: Engine,
  kind: "pulumi" | "dynamic",
  from: Stack,
  to: Stack,
): Promise<{ digest: string; events: string }> =>
  withCloud(async (path, settings) => {
    const project = await openProject(engine, path, settings);
    await project.write(kind, from);
    await project.done("up", "--yes", "--skip-preview");
    await project.write(kind, to);
    const log = join(path, "events.json");
    const { stdout } = await project.run(["preview", "--json", "--event-log", log], {
      environment: { PULUMI_DEBUG_COMMANDS: "1" },
    });
    return { digest: stdout, events: await readFile(log, "utf8") };
  });

if (import.meta.main) {
  await mkdir(fixtureFolder, { recursive: true });
  for (const engine of await terraformEngines())
    await writeFile(
      join(fixtureFolder, `${engine.name}-${engine.version}.json`),
      await terraformPlan(engine, before, after),
    );
  const pulumi = await ensureEngine("pulumi");
  for (const kind of ["pulumi", "dynamic"] as const) {
    const { digest, events } = await pulumiPreview(pulumi, kind, before, after);
    await writeFile(join(fixtureFolder, `${kind}.json`), digest);
    await writeFile(join(fixtureFolder, `${kind}-events.jsonl`), events);
  }
}
