import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { ensureEngine } from "./engines/engine.ts";

/**
 * `npm run demo`: creates and destroys the stack of the root folder on the emulator with the real Pulumi CLI. With
 * `-- --keep` the stack and the emulator are kept, and the last lines show the commands for them.
 */

const keep = process.argv.includes("--keep");
const pulumi = await ensureEngine("pulumi");
const demoFolder = await mkdtemp(join(tmpdir(), "kcloud-demo-"));
const emulator = spawn(
  process.execPath,
  ["dist/kcloud", "emulator", "--task-ms", "1500", "--state", join(demoFolder, "cloud.json")],
  // An emulator that keeps running must not hold the terminal or the pipe of the user.
  { stdio: ["ignore", "pipe", keep ? "ignore" : "inherit"], detached: keep },
);

const settings = {
  SERVICE_BASE_URL: await addressOf(emulator),
  SERVICE_API_KEY: "emulator-key",
  SERVICE_REGION: "In-Bangalore-1",
  PULUMI_BACKEND_URL: `file://${demoFolder}`,
  PULUMI_CONFIG_PASSPHRASE: "demo",
};

/** Returns the first line that the emulator prints. Throws if the emulator exits before. */
async function addressOf(child: ChildProcess): Promise<string> {
  if (child.stdout === null) throw new Error("the emulator has no output");
  for await (const line of createInterface(child.stdout)) return line;
  throw new Error("the emulator ended before it printed its address");
}

/** Runs one command of the CLI with its output on the terminal. Throws if the command fails. */
async function show(title: string, ...args: string[]) {
  console.log(`\n\u001b[1m${title}\u001b[0m\n$ pulumi ${args.join(" ")}`);
  const child = spawn(pulumi.path, [...args, "--stack", "demo", "--non-interactive"], {
    stdio: "inherit",
    env: { ...process.env, ...pulumi.env, ...settings },
  });
  const [code] = await once(child, "exit");
  if (code !== 0) throw new Error(`pulumi ${args[0]} ended with ${code}`);
}

function explainHowToContinue() {
  emulator.unref();
  console.log("\nThe stack and the emulator are kept. To continue in this shell:\n");
  const { PATH: _, ...environment } = pulumi.env;
  for (const [name, value] of Object.entries({ ...environment, ...settings }))
    console.log(`export ${name}='${value}'`);
  console.log(`export PATH="${dirname(pulumi.path)}:${dirname(process.execPath)}:$PATH"`);
  console.log(`\npulumi stack select demo && pulumi preview
pulumi destroy --yes --stack demo; kill ${emulator.pid}; rm -r ${demoFolder} Pulumi.demo.yaml`);
}

try {
  await show("Create a stack", "stack", "init");
  await show("Preview the changes", "preview");
  await show("Create the resources", "up", "--yes", "--skip-preview");
  await show("Show the outputs", "stack", "output");
  await show("Preview again: no changes", "preview", "--expect-no-changes");
  if (keep) explainHowToContinue();
  else {
    await show("Destroy the resources", "destroy", "--yes", "--skip-preview");
    console.log(
      "\nThe demo created and destroyed a VPC with two subnets, an instance in a security group, and a volume.",
    );
    console.log("The program is examples/stack/dynamic/index.ts: change it and run the demo again.");
  }
} finally {
  if (!keep) {
    emulator.kill("SIGTERM");
    await once(emulator, "exit");
    await rm(demoFolder, { recursive: true, force: true });
    // The CLI stores the key of the stack next to the program. It is useless after the stack is destroyed.
    await rm("Pulumi.demo.yaml", { force: true });
  }
}
if (keep) process.exit(0);
