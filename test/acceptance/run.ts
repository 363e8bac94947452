import { spawn } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { createEmulator } from "../../emulator/emulator.ts";
import { listOperations } from "../../emulator/operation-list.ts";
import { terraformSource } from "../../provider/core/name.ts";
import { resources } from "../../resources/index.ts";
import { type Engine, ensureEngine } from "../../tools/engines/engine.ts";
import { kinds } from "../simulation/kind.ts";
import { kindOf } from "../simulation/row.ts";
import { pluginPath } from "../support/engine/built.ts";
import { makeMirror } from "../support/engine/terraform.ts";
import type { Case, Features } from "./case.ts";
import { type Result, resultsOf } from "./output.ts";

/** Runs cases with the acceptance harness, a Go program, which runs an engine with the built plugin. */

const isAtLeast = (version: string, minor: number): boolean => Number(version.split(".")[1]) >= minor;

/** Returns the features of an engine that cases use. */
export const featuresOf = ({ name, version }: Engine): Features => ({
  hasIdentities: isAtLeast(version, 12),
  hasQueries: name === "terraform" && isAtLeast(version, 14),
});

/** Operations that change objects; each other one reads, signs in, or opens a session. */
const changingOperations: readonly string[] = listOperations()
  .map(({ name }) => name)
  .filter((name) => !/^(get|list|search|describe|sign_in|presign|download)_|_session$/.test(name));

/** Kinds of the emulator that no route deletes. */
const permanent = Object.keys(kinds)
  .filter((name) => kinds[name]?.permanent)
  .map(kindOf);

/** Kinds whose delete may be in progress after a destroy: cancelled work, and pods, whose end the API does not show. */
const deferred = resources
  .filter(({ work, visibility }) => work !== undefined || visibility?.unreadable !== undefined)
  .map(({ name }) => kindOf(name));

/**
 * Runs cases with an engine, each with an emulator of its own. `changed` returns the attributes that imports of a case change;
 * undefined if they are not compared. Returns the results by the names of the cases.
 */
export async function runCases(
  engine: Engine,
  cases: readonly Case[],
  changed: (name: string) => readonly string[] | undefined,
): Promise<ReadonlyMap<string, Result>> {
  const harness = await ensureEngine("acceptance");
  const folder = await mkdtemp(join(tmpdir(), "kcloud-acceptance-"));
  const servers: { close(): Promise<void> }[] = [];
  try {
    const written = await Promise.all(
      cases.map(async ({ name, emulator, echo, steps }) => {
        const server = await createEmulator(emulator).listen();
        servers.push(server);
        return { name, url: server.url, echo, steps: steps(server.url, featuresOf(engine), changed(name)) };
      }),
    );
    const file = join(folder, "cases.json");
    const plan = {
      source: terraformSource,
      changing: changingOperations,
      permanent,
      deferred,
      cases: written,
    };
    await writeFile(file, JSON.stringify(plan));
    // The harness links the folders of its working directory into those of the engine.
    const empty = join(folder, "empty");
    const temporary = join(folder, "tmp");
    await Promise.all([mkdir(empty), mkdir(temporary)]);
    const child = spawn(harness.path, ["-test.v", "-test.parallel=3", "-test.timeout=0"], {
      cwd: empty,
      env: {
        ...engine.env,
        PATH: pluginPath(engine.env.PATH ?? ""),
        HOME: folder,
        TMPDIR: temporary,
        TF_ACC: "1",
        TF_ACC_TERRAFORM_PATH: engine.path,
        // The host for which OpenTofu accepts the legacy addresses that the harness gives its own providers.
        ...(engine.name === "opentofu" && { TF_ACC_PROVIDER_HOST: "registry.opentofu.org" }),
        TF_CLI_CONFIG_FILE: await makeMirror(folder),
        KCLOUD_ACCEPTANCE_CASES: file,
      },
      stdio: ["ignore", "pipe", "inherit"],
    });
    return resultsOf(await text(child.stdout));
  } finally {
    await Promise.all(servers.map((server) => server.close()));
    await rm(folder, { recursive: true, force: true });
  }
}
