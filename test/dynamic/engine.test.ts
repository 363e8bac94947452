import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "@jest/globals";
import { dynamicProvider, dynamicType } from "../../provider/core/name.ts";
import { destroy, network, refresh, testWithProject, up, volume } from "../support/engine/stack.ts";

/** The dynamic classes with the real engine and its host, and the move between them and the plugin. */

const empty = { SERVICE_BASE_URL: "", SERVICE_API_KEY: "", SERVICE_REGION: "" };

testWithProject(
  "a stack moves to the plugin and back, with given and automatic names, and nothing is replaced",
  async ({ emulator, project, stored }) => {
    const stack = [network({}), volume(), { ...volume({ name: null }), name: "unnamed" }];
    await project.write("dynamic", stack);
    await project.done(...up);
    const made = emulator.inventory.list().map(({ krn }) => krn);
    const ids = async () => [
      (await stored("net")).id,
      (await stored("data")).id,
      (await stored("unnamed")).id,
    ];
    const before = await ids();

    await project.write("pulumi", stack);
    expect(await project.done(...up)).toMatch(/Resources:\n +4 unchanged/);
    expect((await stored("data")).type).toBe("kcloud:index:Volume");
    await project.done(...refresh);
    expect(await project.done("preview", "--expect-no-changes")).toContain("4 unchanged");

    await project.write("dynamic", stack);
    expect(await project.done(...up)).toMatch(/Resources:\n +~ 3 updated\n +1 unchanged/);
    expect((await stored("data")).outputs).toMatchObject({ __provider: dynamicProvider("volume") });
    await project.done(...refresh);
    expect(await project.done("preview", "--expect-no-changes")).toContain("4 unchanged");

    expect(await ids()).toEqual(before);
    expect(emulator.inventory.list().map(({ krn }) => krn)).toEqual(made);
    await project.done(...destroy);
    expect(emulator.inventory.list()).toEqual([]);
  },
);

testWithProject(
  "a stack that the plugin created keeps its automatic names with dynamic classes",
  async ({ project, stored }) => {
    await project.write("pulumi", [network({})]);
    await project.done(...up);
    const { id, outputs } = await stored("net");
    expect(outputs?.name).toMatch(/^net-[0-9a-f]{7}$/);
    await project.write("dynamic", [network({})]);
    expect(await project.done(...up)).toMatch(/Resources:\n +~ 1 updated\n +1 unchanged/);
    const moved = await stored("net");
    expect([moved.id, moved.outputs?.name]).toEqual([id, outputs?.name]);
  },
);

testWithProject(
  "the state of a volume is at most 220 bytes larger than with the plugin",
  async ({ project, stored }) => {
    await project.program(`
        const plugin = require("@kcloud/iac/pulumi");
        const dynamic = require("@kcloud/iac/dynamic");
        const given = { vpcId: new plugin.Vpc("net", { name: "net" }).id, sizeGb: 10, volumeType: "ssd" };
        new plugin.Volume("one", { ...given, name: "one" });
        new dynamic.Volume("two", { ...given, name: "two" });
      `);
    await project.done(...up);
    const bytes = async (name: string): Promise<number> => {
      // The SDK stores these for every resource of both adapters.
      const {
        sourcePosition: _,
        stackTrace: __,
        ...resource
      }: Record<string, unknown> = {
        ...(await stored(name)),
      };
      return JSON.stringify(resource).length;
    };
    const [native, dynamic] = [await bytes("one"), await bytes("two")];
    expect(dynamic - native).toBeLessThanOrEqual(220);
  },
);

testWithProject(
  "handlers read the stack's configuration in every run, and secrets are encrypted in the state",
  async ({ emulator, project, stored, url }) => {
    await project.done("config", "set", "kcloud:baseUrl", url);
    await project.done("config", "set", "kcloud:apiKey", "--secret", "emulator-key");
    await project.done("config", "set", "kcloud:region", "In-Bangalore-1");
    await project.program(`
          const pulumi = require("@pulumi/pulumi");
          const { Volume, Vpc } = require("@kcloud/iac/dynamic");
          const vpcId = new Vpc("net").id;
          const secret = { description: pulumi.secret("canary-1"), metadata: { team: pulumi.secret("canary-2") } };
          for (const name of ["a", "b", "c"]) new Volume(name, { vpcId, sizeGb: 10, volumeType: "ssd", ...secret });
        `);
    await project.done(...up);
    expect((await stored("a")).outputs).toMatchObject({
      description: { ciphertext: expect.any(String) },
      metadata: { team: { ciphertext: expect.any(String) } },
      status: "available",
    });
    // Refreshes all resources at once, on handlers whose `configure` the host did not wait for.
    expect(await project.done(...refresh)).toContain("5 unchanged");
    expect(JSON.stringify(await project.state())).not.toMatch(/canary|emulator-key/);
    await project.done(...destroy);
    expect(emulator.inventory.list()).toEqual([]);
  },
  {},
  empty,
);

testWithProject(
  "a check failure is shown without any value, since the host does not report which values are secret",
  async ({ project }) => {
    await project.program(`
        const pulumi = require("@pulumi/pulumi");
        const { Volume } = require("@kcloud/iac/dynamic");
        new Volume("data", { vpcId: "krn:vpc:r:a:p:vpc:1", sizeGb: 10, volumeType: pulumi.secret({ canary: "canary" }) });
      `);
    const { output } = await project.run(["preview"]);
    expect(output).toContain("resource 'data' has a problem: volumeType: must be a string");
    expect(output).not.toContain("canary");
  },
);

testWithProject(
  "the partial state of a failed create can be refreshed, updated and destroyed",
  async ({ emulator, project, stored }) => {
    await project.write("dynamic", [network()]);
    await project.done(...up);
    emulator.faults.add({ target: "list_volumes", kind: "403", from: 2 });
    await project.write("dynamic", [network(), volume()]);
    const failed = await project.run(up);
    expect(failed.code).not.toBe(0);
    const partial = await stored("data");
    expect(failed.output).toContain(`The object exists as ${partial.id} and is in the state.`);
    expect(partial.initErrors).toHaveLength(1);
    expect(partial.outputs).toMatchObject({ __provider: dynamicProvider("volume"), name: "data" });
    emulator.faults.clear();
    await project.done(...refresh);
    await project.done(...up);
    expect((await stored("data")).id).toBe(partial.id);
    await project.done(...destroy);
    expect(emulator.inventory.list()).toEqual([]);
    expect(emulator.log.counts().create_volume).toBe(1);
  },
);

testWithProject(
  "Ctrl-C lets the create finish, and its id is stored",
  async ({ project, stored }) => {
    await project.write("dynamic", [network(), volume()]);
    let interrupted = false;
    const { code, output } = await project.run(up, {
      watch: (output, signal) => {
        if (interrupted || !output.includes('volume "data": creating')) return;
        interrupted = true;
        signal("SIGINT");
      },
    });
    expect(code).not.toBe(0);
    expect(output).toContain("^C received");
    expect((await stored("data")).outputs).toMatchObject({ status: "available" });
  },
  { taskMs: 3_000 },
);

testWithProject(
  "lookups run in the program, also in a preview; `get` reads an existing object by its id",
  async ({ project, stored }) => {
    await project.write("dynamic", [network(), volume({ description: "mine" })]);
    await project.done(...up);
    const [net, data] = [await stored("net"), await stored("data")];
    await project.program(`
        const { Volume, Vpc, getVpc, getVpcOutput, getVpcs } = require("@kcloud/iac/dynamic");
        const net = new Vpc("net", { name: "net" });
        const given = { vpcId: net.id, name: "data", sizeGb: 10, volumeType: "ssd", description: "mine" };
        const data = new Volume("data", given);
        exports.seen = Volume.get("seen", ${JSON.stringify(`${net.id},${data.id}`)}).description;
        exports.looked = getVpcOutput({ name: net.name }, { dependsOn: [data] }).id;
        exports.listed = getVpcs().then(({ vpcs }) => vpcs.map(({ name }) => name));
        exports.missing = getVpc({ name: "none" }).catch((error) => error.message);
        exports.later = getVpcOutput({ id: new Vpc("other", { name: "other" }).id }).name;
      `);
    const preview = await project.done("preview", "--diff");
    expect(preview).toMatch(/listed *: \[\n.*"net"/);
    expect(preview).toMatch(/later *: \[unknown\]/);
    await project.done(...up);
    expect(JSON.parse(await project.done("stack", "output", "--json"))).toEqual({
      seen: "mine",
      looked: net.id,
      listed: ["net"],
      missing: `Invalid value for name\nname: no VPC has this name. Existing VPCs: net (${net.id})`,
      later: "other",
    });
  },
);

testWithProject(
  "a volume that was enlarged outside of Pulumi can be refreshed; the preview rejects shrinking it",
  async ({ emulator, project, stored }) => {
    await project.write("dynamic", [network(), volume()]);
    await project.done(...up);
    emulator.inventory.change((await stored("data")).id ?? "", { size: 30 });
    await project.done(...refresh);
    expect((await stored("data")).inputs).toMatchObject({ sizeGb: 30 });
    const { code, output } = await project.run(["preview"]);
    expect(code).not.toBe(0);
    expect(output).toContain(
      "sizeGb: cannot shrink from 30 to 10 GB: the volume is 30 GB now; set sizeGb: 30, or create a smaller volume and copy the data",
    );
  },
);

testWithProject("an existing object is imported by an import file", async ({ emulator, project, stored }) => {
  await project.write("dynamic", [network()]);
  await project.done(...up);
  const { urn, id } = await stored("net");
  await project.done("state", "delete", "--yes", urn);
  const properties = { __provider: dynamicProvider("vpc"), name: "net" };
  const entry = { type: dynamicType("vpc"), name: "net", id, inputs: properties, outputs: properties };
  await writeFile(join(project.path, "import.json"), JSON.stringify({ resources: [entry] }));
  const options = ["--yes", "--skip-preview", "--generate-code=false", "--protect=false"];
  await project.done("import", "--file", "import.json", ...options);
  await project.done(...refresh);
  expect(await project.done("preview", "--expect-no-changes")).toContain("2 unchanged");
  expect((await stored("net")).outputs).toMatchObject({ networkName: "net-network" });
  expect(emulator.log.counts().create_vpc).toBe(1);
});
