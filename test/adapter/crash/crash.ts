import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { afterEach, beforeEach, describe, expect, test } from "@jest/globals";
import type { Adapter, Stack } from "../adapter.ts";

/** Kills the emulator in the middle of an apply, restarts it with its objects, and tests the next apply. */

const network = { ref: "network", property: "id" };
const publicKey = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIDv649RFD38FiJfVSzmkqTE5Lfkm/3FWshG5nK9YVL3+";
const stack: Stack = [
  { name: "network", resource: "vpc", inputs: { name: "crash" } },
  { name: "web", resource: "subnet", inputs: { vpcId: network, name: "web", cidr: "10.0.0.0/24" } },
  { name: "guard", resource: "security-group", inputs: { vpcId: network, name: "guard" } },
  {
    name: "rule",
    resource: "security-group-rule",
    inputs: {
      vpcId: network,
      securityGroupId: { ref: "guard", property: "id" },
      direction: "ingress",
      protocol: "tcp",
      portRangeMin: 80,
      portRangeMax: 80,
      remoteIpPrefix: "0.0.0.0/0",
    },
  },
  { name: "key", resource: "ssh-key", inputs: { name: "key", publicKey } },
  {
    name: "data",
    resource: "volume",
    inputs: { vpcId: network, name: "data", sizeGb: 20, volumeType: "ssd" },
  },
  {
    name: "machine",
    resource: "instance",
    inputs: {
      vpcId: network,
      name: "machine",
      instanceType: "c1.small",
      subnetId: { ref: "web", property: "id" },
      sshkeyName: { ref: "key", property: "name" },
      securityGroups: [{ ref: "guard", property: "id" }],
      volumeId: { ref: "data", property: "id" },
    },
  },
];

interface Server {
  readonly url: string;
  readonly process: ChildProcess;
}

async function startEmulator(state: string, port: string, ...more: string[]): Promise<Server> {
  const args = ["emulator/cli/main.ts", "--state", state, "--port", port, "--task-ms", "1000", ...more];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
  for await (const url of createInterface(child.stdout)) return { url, process: child };
  throw new Error("the emulator ended before it gave its address");
}

async function ask<T>(server: Server, path: string): Promise<T> {
  const response = await fetch(`${server.url}/_emulator/${path}`);
  return (await response.json()) as T;
}

async function kill({ process }: Server) {
  if (process.exitCode !== null || process.signalCode !== null) return;
  process.kill("SIGKILL");
  await once(process, "exit");
}

/** Returns the number of existing objects of each kind in the stack. */
async function counted(server: Server): Promise<Record<string, number>> {
  const objects = await ask<{ kind: string }[]>(server, "state");
  const count = (resource: string) =>
    objects.filter(({ kind }) => kind === resource.replaceAll("-", "_")).length;
  return Object.fromEntries(stack.map(({ resource }) => [resource, count(resource)]));
}

const oneOfEach = Object.fromEntries(stack.map(({ resource }) => [resource, 1]));

/** Tests both ways to recover: adopting and importing. An adapter that cannot import has only the first. */
export function testCrash(adapter: Adapter) {
  describe(`the emulator is killed during an apply, through ${adapter.name}`, () => {
    let folder: string;
    let server: Server;

    beforeEach(async () => {
      folder = await mkdtemp(join(tmpdir(), "kcloud-crash-"));
    });
    afterEach(async () => {
      await kill(server);
      await rm(folder, { recursive: true, force: true });
    });

    /**
     * Applies the stack and kills the emulator when it has created the instance, which is the last object, and has not
     * responded yet. Returns the workspace after a restart.
     */
    async function killDuringCreate(adopt: string) {
      const state = join(folder, "cloud.json");
      server = await startEmulator(state, "0", "--fault", "create_instance#1=after-hang");
      const workspace = await adapter.open(await mkdtemp(join(folder, "work-")), {
        SERVICE_BASE_URL: server.url,
        SERVICE_API_KEY: "emulator-key",
        SERVICE_REGION: "In-Bangalore-1",
        SERVICE_MAX_REQUESTS_PER_SECOND: "0",
        SERVICE_SETTLE_SECONDS: "2",
        SERVICE_ADOPT_EXISTING: adopt,
      });
      await workspace.write(stack);
      const applying = workspace.apply();
      const machines = () => counted(server).then(({ instance = 0 }) => instance);
      const over = applying.then(() => true);
      while ((await machines()) === 0)
        if (await Promise.race([over, ask(server, "health").then(() => false)]))
          throw new Error((await applying).output);
      await kill(server);
      expect((await applying).ok).toBe(false);
      server = await startEmulator(state, new URL(server.url).port);
      return workspace;
    }

    test("with adopt_existing, the next apply leaves exactly one object of each kind", async () => {
      const workspace = await killDuringCreate("true");
      const { ok, output } = await workspace.apply();
      if (!ok) throw new Error(output);
      expect(await counted(server)).toEqual(oneOfEach);
      expect(await workspace.plan()).toEqual({});
    });

    const reason = adapter.impossible.import;
    if (reason !== undefined) {
      test(`importing objects that are not in the state: ${reason}`, () => expect(reason).toMatch(/\w+ \w+/));
      return;
    }

    test("without adopt_existing, nothing is created twice, and the next apply succeeds after the import that the error names", async () => {
      const workspace = await killDuringCreate("false");
      const stopped = await workspace.apply();
      expect(stopped.ok).toBe(false);
      expect(await counted(server)).toEqual(oneOfEach);
      const id = /'([^']*krn:[^']*:instance:[^']*)'/.exec(
        stopped.output.replaceAll(/\s*\n[│|\s]*/g, ""),
      )?.[1];
      expect(id).toMatch(/^krn:.*,krn:/);
      const imported = await workspace.import([{ name: "machine", resource: "instance", id: id ?? "" }]);
      if (!imported.ok) throw new Error(imported.output);
      const { ok, output } = await workspace.apply();
      if (!ok) throw new Error(output);
      expect(await counted(server)).toEqual(oneOfEach);
      expect(await workspace.plan()).toEqual({});
    });
  });
}
