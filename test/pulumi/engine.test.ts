import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { promisify } from "node:util";
import { expect } from "@jest/globals";
import { program } from "../support/engine/built.ts";
import { destroy, network, refresh, testWithProject, up, volume } from "../support/engine/stack.ts";

/** The plugin under the real engine: behaviour that depends on both. */

const plugin = program("pulumi-resource-kcloud");

testWithProject(
  "a preview shows every known value of the plan and sends no request",
  async ({ emulator, project }) => {
    await project.program(`
        const { Volume, Vpc } = require("@kcloud/iac/pulumi");
        const net = new Vpc("net");
        const data = new Volume("data", { vpcId: net.id, name: "data", sizeGb: 10, volumeType: "ssd" });
        Object.assign(exports, { zone: data.availabilityZone, region: net.region, status: data.status });
      `);
    const output = await project.done("preview", "--diff");
    expect(output).toMatch(/zone *: "nova"/);
    expect(output).toMatch(/region *: "In-Bangalore-1"/);
    expect(output).toMatch(/status *: \[unknown\]/);
    expect(output).toMatch(/name *: "net-[0-9a-f]{7}"/);
    expect(emulator.log.entries()).toEqual([]);
  },
);

testWithProject(
  "Ctrl-C during a create stores the id, also of an object with 512 KiB of labels, and the next up finishes the create",
  async ({ emulator, project, stored }) => {
    const labels = Array.from({ length: 128 }, (_, at) => [`label-${at}`, "x".repeat(4096)]);
    const stack = [network(), volume({ metadata: Object.fromEntries(labels) })];
    await project.write("pulumi", stack);
    let interrupted = 0;
    const stopped = await project.run(up, {
      watch: (output, signal) => {
        if (interrupted > 0 || !output.includes("data creating (0s) creating")) return;
        interrupted = performance.now();
        signal("SIGINT");
      },
    });
    expect(performance.now() - interrupted).toBeLessThan(5_000);
    expect(stopped.code).not.toBe(0);
    expect(stopped.output).toContain("The run was stopped.");
    const partial = await stored("data");
    expect(partial.id).toMatch(/^krn:kbs:/);
    expect(partial.initErrors).toHaveLength(1);
    await project.done(...up);
    const { id, initErrors, outputs } = await stored("data");
    expect({ id, initErrors }).toEqual({ id: partial.id });
    expect(outputs).toMatchObject({ status: "available" });
    expect(emulator.log.counts().create_volume).toBe(1);
    await project.done(...destroy);
    expect(emulator.inventory.list()).toEqual([]);
  },
  { taskMs: 4_000 },
);

testWithProject(
  "a custom timeout applies, and the error names it",
  async ({ project, stored }) => {
    await project.write("pulumi", [network(), volume()], { data: { customTimeouts: { create: "1s" } } });
    const { code, output } = await project.run(up);
    expect(code).not.toBe(0);
    expect(output).toContain("The timeout of 1 s expired.");
    expect((await stored("data")).initErrors).toHaveLength(1);
  },
  { taskMs: 5_000 },
);

for (const kind of ["pulumi", "dynamic"] as const)
  testWithProject(
    `an object that failed before it was ready is replaced by the next up (${kind})`,
    async ({ emulator, project, stored }) => {
      await project.write(kind, [network(), volume({ name: "data-fails" })]);
      const failed = await project.run(up);
      expect(failed.output).toContain("The next `pulumi up` replaces it.");
      const partial = await stored("data");
      expect(partial.outputs).toMatchObject({
        __failed: "the API reports the status error: failed because of the name data-fails",
      });
      await project.write(kind, [network(), volume()]);
      const { code, output } = await project.run(up);
      if (code !== 0) throw new Error(output);
      expect(output).toContain(
        "The object was never ready: the API reports the status error: failed because of the name data-fails.",
      );
      const made = await stored("data");
      expect(made.id).not.toBe(partial.id);
      expect(made.outputs).not.toHaveProperty("__failed");
      const volumes = emulator.inventory.list().filter((item) => item.kind === "volume");
      expect(volumes.map(({ krn }) => krn)).toEqual([made.id]);
    },
  );

testWithProject(
  "secrets are shown neither in the state, nor in the output, nor in a check failure",
  async ({ project, stored }) => {
    const program = (more: string) => `
        const pulumi = require("@pulumi/pulumi");
        const { Volume, Vpc } = require("@kcloud/iac/pulumi");
        const vpcId = new Vpc("net", { name: "net" }).id;
        const secret = { description: pulumi.secret("canary-1"), metadata: { team: pulumi.secret("canary-2") } };
        exports.seen = new Volume("data", { vpcId, sizeGb: 10, volumeType: "ssd", ...secret, ${more} }).description;
      `;
    await project.program(program("availabilityZone: pulumi.secret({ canary: 'canary-3' })"));
    const refused = await project.run(["preview"]);
    expect(refused.output).toContain(
      "kcloud:index:Volume resource 'data' has a problem: availabilityZone: must be a string",
    );
    await project.program(program(""));
    const made = await project.run(up);
    expect(made.code).toBe(0);
    await project.done(...refresh);
    expect(refused.output + made.output + JSON.stringify(await project.state())).not.toContain("canary");
    expect((await stored("data")).outputs).toMatchObject({
      description: { ciphertext: expect.any(String) },
      metadata: { team: { ciphertext: expect.any(String) } },
    });
    expect(await project.done("preview", "--diff", "--expect-no-changes")).toContain("3 unchanged");
  },
);

testWithProject(
  "a missing setting is reported with the command that sets it; a wrong key is rejected, and a new one is used in the next run",
  async ({ project, url }) => {
    await project.write("pulumi", [network()]);
    const missing = await project.run(["preview"]);
    expect(missing.output).toContain('missing required configuration key "kcloud:apiKey"');
    expect(missing.output).toContain("pulumi config set kcloud:apiKey <value>");
    await project.done("config", "set", "kcloud:baseUrl", url);
    await project.done("config", "set", "kcloud:apiKey", "--secret", "canary-key");
    const refused = await project.run(up);
    expect(refused.output).toContain("The API key was rejected");
    await project.done("config", "set", "kcloud:apiKey", "--secret", "emulator-key");
    const made = await project.run(up);
    expect(made.code).toBe(0);
    expect(refused.output + JSON.stringify(await project.state())).not.toContain("canary");
  },
  {},
  { SERVICE_BASE_URL: "", SERVICE_API_KEY: "" },
);

testWithProject(
  "a provider with unknown settings can be previewed, and then used",
  async ({ project, stored }) => {
    await project.program(`
        const { Provider, Vpc } = require("@kcloud/iac/pulumi");
        const first = new Vpc("first", { name: "first" });
        const region = first.networkId.apply(() => "In-Hyderabad-1");
        const provider = new Provider("far", { region, maxRequestsPerSecond: 50, adoptExisting: true });
        new Vpc("second", { name: "second" }, { provider });
      `);
    expect(await project.done("preview")).toContain("4 to create");
    await project.done(...up);
    expect((await stored("second")).outputs).toMatchObject({ region: "In-Hyderabad-1" });
  },
);

testWithProject(
  "with adoptExisting, a second resource for an object that another one manages is an error",
  async ({ emulator, project, stored }) => {
    const program = (names: readonly string[]) =>
      project.program(`
        const { Vpc } = require("@kcloud/iac/pulumi");
        for (const name of ${JSON.stringify(names)}) new Vpc(name, { name: "net" });
      `);
    await project.done("config", "set", "kcloud:adoptExisting", "true");
    await program(["net"]);
    await project.done(...up);
    await program(["net", "again"]);
    const refused = await project.run(up);
    expect(refused.code).not.toBe(0);
    expect(refused.output).toMatch(/another resource of this configuration manages/);
    await program(["net"]);
    await project.done(...up);
    expect((await stored("net")).id).toBe(emulator.inventory.list().find(({ kind }) => kind === "vpc")?.krn);
    expect(emulator.log.counts().delete_vpc ?? 0).toBe(0);
  },
);

testWithProject(
  "an existing object is imported by its import id, and a missing one is rejected",
  async ({ emulator, project, stored }) => {
    await project.write("pulumi", [network(), volume()]);
    await project.done(...up);
    const [net, data] = [await stored("net"), await stored("data")];
    await project.done("state", "delete", "--yes", data.urn);
    const importing = ["import", "--yes", "--skip-preview", "--generate-code=false", "--protect=false"];
    const bare = await project.run([...importing, "kcloud:index:Volume", "data", data.id ?? ""]);
    expect(bare.output).toContain("is not of the form vpcId,id or region,vpcId,id");
    const gone = await project.run([...importing, "kcloud:index:Vpc", "x", `${net.id}0`]);
    expect(gone.output).toContain(`No VPC has the ID ${net.id}0 in In-Bangalore-1.`);
    await project.done(...importing, "kcloud:index:Volume", "data", `${net.id},${data.id}`);
    expect((await stored("data")).id).toBe(data.id);
    expect(await project.done("preview", "--expect-no-changes")).toContain("3 unchanged");
    expect(emulator.log.counts().create_volume).toBe(1);
  },
);

testWithProject(
  "a program imports an existing object, and reads objects that it does not manage",
  async ({ project, stored }) => {
    await project.write("pulumi", [network(), volume({ description: "mine" })]);
    await project.done(...up);
    const [net, data] = [await stored("net"), await stored("data")];
    await project.done("state", "delete", "--yes", data.urn);
    await project.program(`
        const { Volume, Vpc, getVpc, getVpcOutput, getVpcs } = require("@kcloud/iac/pulumi");
        const net = new Vpc("net", { name: "net" });
        const given = { vpcId: net.id, name: "data", sizeGb: 10, volumeType: "ssd", description: "mine" };
        new Volume("data", given, { import: ${JSON.stringify(`${net.id},${data.id}`)} });
        exports.seen = Volume.get("seen", ${JSON.stringify(data.id)}, { vpcId: net.id }).description;
        exports.looked = getVpcOutput({ name: net.name }).id;
        exports.listed = getVpcs().then(({ vpcs }) => vpcs.map(({ name }) => name));
        exports.missing = getVpc({ name: "none" }).catch((error) => error.message);
      `);
    await project.done(...up);
    const outputs = JSON.parse(await project.done("stack", "output", "--json"));
    expect(outputs).toEqual({
      seen: "mine",
      looked: net.id,
      listed: ["net"],
      missing: expect.stringContaining(`no VPC has this name. Existing VPCs: net (${net.id})`),
    });
    expect((await stored("data")).id).toBe(data.id);
  },
);

testWithProject(
  "a volume that was enlarged outside of Pulumi can be refreshed; the preview rejects shrinking it",
  async ({ emulator, project, stored }) => {
    await project.write("pulumi", [network(), volume()]);
    await project.done(...up);
    emulator.inventory.change((await stored("data")).id ?? "", { size: 30 });
    expect(await project.done("refresh", "--yes", "--skip-preview", "--diff")).toMatch(/sizeGb: 10 => 30/);
    const { code, output } = await project.run(["preview"]);
    expect(code).not.toBe(0);
    expect(output).toContain(
      "sizeGb: cannot shrink from 30 to 10 GB: the volume is 30 GB now; set sizeGb: 30, or create a smaller volume and copy the data",
    );
  },
);

testWithProject("the commands of the guide install the plugin and print its schema", async ({ project }) => {
  const guide = await readFile(new URL("../../docs/guides/install.md", import.meta.url), "utf8");
  const [, get = ""] = /^npx kcloud install pulumi\npulumi (package get-schema .*)$/m.exec(guide) ?? [];
  const environment = { PULUMI_HOME: join(project.path, "home") };
  await promisify(execFile)(program("kcloud"), ["install", "pulumi"], {
    env: { ...process.env, ...environment },
  });
  const { stdout } = await project.run(get.split(" "), { environment });
  expect(Object.keys(JSON.parse(stdout).resources)).toContain("kcloud:index:Volume");
});

testWithProject(
  "the engine attaches to a running plugin, which serves several runs",
  async ({ project, url }) => {
    const settings = {
      SERVICE_BASE_URL: url,
      SERVICE_API_KEY: "emulator-key",
      SERVICE_REGION: "In-Bangalore-1",
    };
    const running = spawn(plugin, {
      stdio: ["ignore", "pipe", "inherit"],
      env: { ...process.env, ...settings },
    });
    try {
      const [port] = await once(createInterface(running.stdout), "line");
      await project.write("pulumi", [network()]);
      const environment = { PULUMI_DEBUG_PROVIDERS: `kcloud:${port}` };
      for (const args of [up, ["preview", "--expect-no-changes"], destroy]) {
        const { code, output } = await project.run(args, { environment });
        if (code !== 0) throw new Error(output);
      }
    } finally {
      running.kill("SIGINT");
    }
    const [code] = await once(running, "exit");
    expect(code).toBe(0);
  },
);
