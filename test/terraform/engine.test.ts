import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "@jest/globals";
import { endPlugins, startPlugin } from "../../tools/plugin/terraform.ts";
import { openSite } from "../support/engine/open-site.ts";
import { flat, settingsOf } from "../support/engine/site.ts";
import { configure, type Folder, succeed } from "../support/engine/terraform.ts";
import { engines } from "../support/engine/terraform-engine.ts";

/** Behaviour that depends on a real engine. test/adapter/lifecycle/terraform.test.ts tests the lifecycles of resources. */

/** Returns a reference to another object's value in a JSON configuration. */
const reference = (address: string): string => `\${${address}}`;

const vpcOnly = { resource: { kcloud_vpc: { net: { name: "net" } } } };

describe.each(engines)("%s", (_, engine) => {
  const site = openSite({ taskMs: 100 });
  const { emulator } = site;
  let path: string;
  let folder: Folder;

  beforeEach(async () => {
    folder = await site.open(engine);
    ({ path } = folder);
  });
  afterEach(endPlugins);

  const write = (configuration: object, file?: string) => configure(folder, configuration, file);
  const run = (...args: string[]) => succeed(folder, args);
  const initialised = async (configuration: object) => {
    await write(configuration);
    return run("init");
  };
  /** Resolves when the emulator has received a request of this operation. */
  const received = (operation: string): Promise<void> =>
    new Promise((resolve) => {
      const timer = setInterval(() => {
        if (emulator.log.entries({ operation }).length === 0) return;
        clearInterval(timer);
        resolve();
      }, 20);
    });
  const vpcs = () => emulator.inventory.list().filter(({ kind }) => kind === "vpc");

  test("init installs the plugin from a mirror, locks it, and accepts the same one again", async () => {
    expect(await initialised(vpcOnly)).toMatch(/Installed \S*kcloud\/kcloud v\d/);
    const lock = await readFile(join(path, ".terraform.lock.hcl"), "utf8");
    expect(lock).toContain('provider "registry.terraform.io/kcloud/kcloud"');
    expect(await run("init", "-lockfile=readonly")).toMatch(
      /previously-installed|from the dependency lock file/,
    );
  });

  test("an invalid value is reported with its path before anything is sent", async () => {
    const subnet = { name: "first", cidr: "10.0.0.0" };
    await initialised({ resource: { kcloud_vpc: { net: { name: "net", primary_subnet: subnet } } } });
    const { code, output } = await folder.run(["plan", "-no-color"]);
    expect(code).toBe(1);
    expect(flat(output)).toContain("primary_subnet.cidr: must be a CIDR such as 10.0.0.0/16");
    expect(flat(output)).toContain("on main.tf.json line 1, in resource.kcloud_vpc.net");
    expect(emulator.log.entries()).toEqual([]);
  });

  test("a private key instead of a public one is reported, and no part of it is shown", async () => {
    await initialised({});
    const lines = ["-----BEGIN OPENSSH PRIVATE KEY-----", "b3BlbnNzaC1rZXktdjEAAAAABG5vbmU", "c2VjcmV0"];
    const key = `resource "kcloud_ssh_key" "deploy" {\n  name = "deploy"\n  public_key = <<-KEY\n${lines.join("\n")}\nKEY\n}\n`;
    await writeFile(join(path, "key.tf"), key);
    const { code, output } = await folder.run(["plan", "-no-color"]);
    expect(code).toBe(1);
    expect(flat(output)).toContain("contains a private key: set the content of its .pub file instead");
    expect(lines.filter((line) => output.includes(line))).toEqual([]);
  });

  test("without key and address, the error names the variables and the emulator", async () => {
    await initialised(vpcOnly);
    const nothing = { SERVICE_API_KEY: "", SERVICE_BASE_URL: "" };
    const { code, output } = await folder.run(["plan", "-no-color"], { environment: nothing });
    expect(code).toBe(1);
    expect(flat(output)).toContain("the API key is missing: set api_key or SERVICE_API_KEY.");
    expect(flat(output)).toContain("run your command under `kcloud emulator -- …`");
  });

  test("an import block generates a configuration whose plan has no change", async () => {
    await initialised(vpcOnly);
    await run("apply", "-auto-approve");
    const id = vpcs()[0]?.krn ?? "";
    await rm(join(path, "terraform.tfstate"));
    const block = (extra: object) => ({ import: [{ to: "kcloud_vpc.net", id, ...extra }] });
    // Terraform 1.16.0 looks for the provider of an import without a resource in its default namespace.
    await write(block(engine.version === "1.16.0" ? { provider: "kcloud" } : {}));
    await run("plan", "-generate-config-out=generated.tf");
    const generated = await readFile(join(path, "generated.tf"), "utf8");
    expect(generated).toContain('resource "kcloud_vpc" "net" {');
    expect(generated).not.toMatch(/^\s*(id|status|network_id)\s*=/m);
    await write(block({}));
    expect(await run("apply", "-auto-approve")).toMatch(/1 imported, 0 added, 0 changed, 0 destroyed/);
    expect(await run("plan", "-detailed-exitcode")).toContain("No changes.");
    expect(vpcs()).toHaveLength(1);
  });

  test("a refresh-only run records drift and changes nothing in the cloud", async () => {
    const volume = { vpc_id: reference("kcloud_vpc.net.id"), name: "data", size_gb: 1, volume_type: "ssd" };
    const stack = { resource: { ...vpcOnly.resource, kcloud_volume: { data: volume } } };
    await initialised(stack);
    await run("apply", "-auto-approve");
    const krn = emulator.inventory.list().find(({ kind }) => kind === "volume")?.krn ?? "";
    emulator.inventory.change(krn, { description: "by hand" });
    expect(await run("apply", "-refresh-only", "-auto-approve")).toContain("+ description");
    expect(await run("plan")).toContain("1 to change");
    expect(emulator.inventory.get(krn)).toMatchObject({ description: "by hand" });
  });

  test("with adopt_existing, a second resource for an object that another one manages is an error of the plan", async () => {
    const adopting = { provider: { kcloud: { adopt_existing: true } } };
    const two = { net: { name: "net" }, again: { name: "net" } };
    await initialised({ ...adopting, ...vpcOnly });
    await run("apply", "-auto-approve");
    await write({ ...adopting, resource: { kcloud_vpc: two } });
    const { code, output } = await folder.run(["apply", "-auto-approve", "-no-color"]);
    expect(code).toBe(1);
    expect(flat(output)).toContain("which another resource of this configuration manages");
    await write({ ...adopting, ...vpcOnly });
    expect(await run("plan", "-detailed-exitcode")).toContain("No changes.");
    // The engine plans a replacement twice; the second plan is not a second resource.
    const other = { name: "net", ip_version: 6, lifecycle: { create_before_destroy: false } };
    await write({ ...adopting, resource: { kcloud_vpc: { net: other } } });
    expect(await run("apply", "-auto-approve")).toContain("1 added, 0 changed, 1 destroyed");
    await run("apply", "-auto-approve", "-replace=kcloud_vpc.net");
    expect(vpcs()).toHaveLength(1);
  });

  test("Ctrl-C ends the wait immediately, records the created object, and after the next apply exactly one exists", async () => {
    await initialised(vpcOnly);
    emulator.configure({ taskMs: 8_000 });
    const stopped = await folder.run(["apply", "-auto-approve", "-no-color"], {
      interruptAfter: received("get_vpc_task_status"),
    });
    expect(stopped.code).toBe(1);
    expect(flat(stopped.output)).toContain("The run was stopped.");
    emulator.configure({ taskMs: 100 });
    await run("apply", "-auto-approve");
    expect(vpcs()).toHaveLength(1);
    expect(await run("plan")).toContain("No changes.");
  });

  test("a provider whose configuration is known only after an apply can be planned and applied", async () => {
    await initialised({
      provider: { kcloud: { region: reference("terraform_data.region.output") } },
      resource: { ...vpcOnly.resource, terraform_data: { region: { input: "In-Hyderabad-1" } } },
    });
    expect(await run("plan")).toContain("2 to add");
    await run("apply", "-auto-approve");
    expect(vpcs().map(({ region }) => region)).toEqual(["In-Hyderabad-1"]);
  });

  test("a replacement that creates first under the same name fails with its remedies", async () => {
    const lifecycle = { create_before_destroy: true };
    const subnet = (cidr: string) => ({ primary_subnet: { name: "first", cidr } });
    const net = (cidr: string) => ({
      resource: { kcloud_vpc: { net: { name: "net", ...subnet(cidr), lifecycle } } },
    });
    await initialised(net("10.0.0.0/24"));
    await run("apply", "-auto-approve");
    await write(net("10.0.1.0/24"));
    const { code, output } = await folder.run(["apply", "-auto-approve", "-no-color"]);
    expect(code).toBe(1);
    expect(flat(output)).toContain("An object with this name already exists");
    expect(flat(output)).toMatch(/[Rr]emove create_before_destroy from the lifecycle of this resource/);
    const environment = { SERVICE_ADOPT_EXISTING: "true" };
    await write(net("10.0.0.0/24"));
    await run("taint", "kcloud_vpc.net");
    const adopted = await folder.run(["apply", "-auto-approve", "-no-color"], { environment });
    expect(adopted.code).toBe(0);
    expect(flat(adopted.output)).toContain("was not deleted");
    expect(vpcs()).toHaveLength(1);
    expect(await run("plan")).toContain("No changes.");
  });

  test("a plugin that was started for debugging serves engines without init, one configuration each", async () => {
    const { line } = startPlugin(settingsOf(site.url), ["--debug"]);
    const reattach = /='(.+)'$/.exec((await line) ?? "")?.[1] ?? "";
    const environment = { TF_REATTACH_PROVIDERS: reattach };
    await write({
      provider: { kcloud: [{ alias: "a" }, { alias: "b", region: "In-Hyderabad-1" }] },
      resource: {
        kcloud_vpc: {
          one: { provider: "kcloud.a", name: "one" },
          two: { provider: "kcloud.b", name: "two" },
        },
      },
    });
    // OpenTofu requires an init even for a running plugin; that init installs nothing.
    await folder.run(["init"], { environment });
    const { code, output } = await folder.run(["apply", "-auto-approve", "-no-color"], { environment });
    expect([code, output]).toEqual([0, expect.stringContaining("2 added")]);
    expect(
      vpcs()
        .map(({ region }) => region)
        .toSorted(),
    ).toEqual(["In-Bangalore-1", "In-Hyderabad-1"]);
  });

  describe("an interrupt while nine creates are in flight", () => {
    const names = Array.from({ length: 9 }, (_, nth) => `data-${nth}`);
    const volume = (name: string) => ({
      vpc_id: reference("kcloud_vpc.net.id"),
      name,
      size_gb: 20,
      volume_type: "HNSS",
      lifecycle: { create_before_destroy: false },
    });
    const stack = {
      resource: {
        kcloud_vpc: { net: { name: "net" } },
        kcloud_volume: Object.fromEntries(names.map((name) => [name, volume(name)])),
      },
    };
    const volumes = () => emulator.inventory.list().filter(({ kind }) => kind === "volume");

    /** Interrupts an apply once the emulator has executed every create, whose responses it delays. */
    async function interrupt(delayMs: number) {
      await initialised({ resource: { kcloud_vpc: stack.resource.kcloud_vpc } });
      await run("apply", "-auto-approve");
      await write(stack);
      emulator.faults.add({ target: "create_volume", kind: "delay", when: "after", delayMs });
      const executed = new Promise<void>((resolve) => {
        const timer = setInterval(() => {
          if (volumes().length < names.length) return;
          clearInterval(timer);
          resolve();
        }, 20);
      });
      const stopped = await folder.run(["apply", "-auto-approve", "-no-color"], { interruptAfter: executed });
      expect(stopped.code).toBe(1);
      emulator.faults.clear();
      return { output: flat(stopped.output), ids: volumes().map(({ krn }) => krn) };
    }

    /** Returns the ids of the volumes in the state; null for an unknown id. */
    async function recorded(): Promise<(string | null)[]> {
      const state = JSON.parse(await run("state", "pull")) as {
        resources: { type: string; instances: { attributes: { id: string | null } }[] }[];
      };
      return state.resources
        .filter(({ type }) => type === "kcloud_volume")
        .flatMap(({ instances }) => instances.map(({ attributes }) => attributes.id));
    }

    test("records the ids of responses that arrive within a second", async () => {
      const { ids } = await interrupt(1_000);
      expect((await recorded()).toSorted()).toEqual(ids.toSorted());
      await run("apply", "-auto-approve");
      expect(volumes()).toHaveLength(names.length);
      expect(await run("plan")).toContain("No changes.");
      await run("destroy", "-auto-approve");
      expect(emulator.inventory.list()).toEqual([]);
    });

    test("leaves states without ids if responses arrive later, and the next apply finds and replaces all objects", async () => {
      const { output, ids } = await interrupt(20_000);
      expect(output).toContain("The next apply searches for it and replaces it");
      expect(await recorded()).toEqual(names.map(() => null));
      expect(await run("apply", "-auto-approve")).toContain("9 added, 0 changed, 9 destroyed");
      expect(volumes().filter(({ krn }) => ids.includes(krn))).toEqual([]);
      expect(volumes()).toHaveLength(names.length);
      expect(await run("plan")).toContain("No changes.");
      await run("destroy", "-auto-approve");
      expect(emulator.inventory.list()).toEqual([]);
    });

    test("removes objects that a search does not find, and creates them", async () => {
      const { ids } = await interrupt(20_000);
      for (const id of ids) emulator.inventory.remove(id);
      const environment = { SERVICE_SETTLE_SECONDS: "5" };
      const { code, output } = await folder.run(["apply", "-auto-approve", "-no-color"], { environment });
      expect(flat(output)).toContain("may exist");
      expect(code).toBe(0);
      expect(volumes()).toHaveLength(names.length);
    });
  });

  test("log lines keep their level and time, and no secret", async () => {
    await initialised(vpcOnly);
    const environment = { TF_LOG_PROVIDER: "DEBUG" };
    // On a busy machine, a shorter task ends before the first read.
    emulator.configure({ taskMs: 2_000 });
    const { output } = await folder.run(["apply", "-auto-approve", "-no-color"], { environment });
    emulator.configure({ taskMs: 100 });
    expect(output).toMatch(/\[INFO\] +provider\.terraform-provider-kcloud_v[\d.]+: waiting: /);
    expect(output).not.toContain('"@level"');
    expect(output).not.toContain("emulator-key");
  });
});
