import { cp, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "@jest/globals";
import { ensureEngine } from "../../tools/engines/engine.ts";
import { openSite } from "../support/engine/open-site.ts";
import { flat } from "../support/engine/site.ts";
import { configure, type Folder, succeed } from "../support/engine/terraform.ts";
import { engines } from "../support/engine/terraform-engine.ts";

/** Identities, list resources and generated configurations with the real engines. */

const terraform = await ensureEngine("terraform");
/** Version in the state file that every tested engine accepts. */
const older = '"terraform_version": "1.11.0"';
/** Engines that import by identity; Terraform 1.11 does not. */
const identifying = engines.filter(([, { version }]) => !version.startsWith("1.11."));

const example = fileURLToPath(new URL("../../examples/query", import.meta.url));

const { emulator, open } = openSite({ taskMs: 100 });

const run = (folder: Folder, ...args: string[]) => succeed(folder, args);

const krnOf = (kind: string, name: string): string =>
  emulator.inventory.list().find((item) => item.kind === kind && item.name === name)?.krn ?? "";

const image = "krn:vm:In-Bangalore-1:default:default:image:00000000-0000-4000-8000-000000000101";
const content = {
  direction: "ingress",
  protocol: "tcp",
  port_range_min: 80,
  port_range_max: 80,
  remote_ip_prefix: "0.0.0.0/0",
};
const rule = {
  vpc_id: "${kcloud_vpc.net.id}",
  security_group_id: "${kcloud_security_group.web.id}",
  ...content,
};

/** Applies a stack with the pinned Terraform in a new folder. */
async function made(): Promise<Folder> {
  const folder = await open(terraform);
  const volume = (name: string) => ({
    vpc_id: "${kcloud_vpc.net.id}",
    name,
    size_gb: 1,
    volume_type: "ssd",
    metadata: { tier: "gold" },
  });
  await configure(folder, {
    resource: {
      kcloud_vpc: { net: { name: "net", description: "of the shop" } },
      kcloud_security_group: { web: { vpc_id: "${kcloud_vpc.net.id}", name: "group" } },
      kcloud_security_group_rule: { http: rule },
      kcloud_instance: {
        machine: {
          vpc_id: "${kcloud_vpc.net.id}",
          name: "machine",
          instance_type: "c1.small",
          subnet_id: "${kcloud_subnet.web.id}",
          sshkey_name: "demo-key",
          security_groups: ["${kcloud_security_group.web.id}"],
          boot_volume: { image_krn: image, size_gb: 10, volume_type: "ssd" },
          user_data: "#!/bin/sh",
          tags: { tier: "web" },
        },
      },
      kcloud_subnet: { web: { vpc_id: "${kcloud_vpc.net.id}", name: "web", cidr: "10.0.1.0/24" } },
      kcloud_volume: { one: volume("one"), two: volume("two") },
    },
  });
  await run(folder, "init");
  await run(folder, "apply", "-auto-approve");
  return folder;
}

/** Returns the operations of all write requests so far. */
const writes = () =>
  emulator.log
    .entries()
    .filter(({ method, operation }) => method !== "GET" && !operation?.startsWith("get_"))
    .map(({ operation }) => operation);

test("terraform query shows all objects of a kind, and its example works", async () => {
  await made();
  const folder = await open(terraform);
  await cp(example, folder.path, { recursive: true });
  await run(folder, "init");
  const before = writes();
  const output = await run(folder, "query", `-var=vpc_id=${krnOf("vpc", "net")}`);
  for (const name of ["net", "web", "group", "one", "two", "machine"])
    expect(output).toMatch(new RegExp(`list\\.kcloud_\\w+\\.all +.*id=krn:\\S+ +${name}\\n`));
  expect(writes()).toEqual(before);
});

test("an object that cannot be read is omitted from the configuration of a query, and all others are in it", async () => {
  await made();
  const folder = await open(terraform);
  await cp(example, folder.path, { recursive: true });
  await run(folder, "init");
  const [vpc_id, args] = [krnOf("vpc", "net"), ["-generate-config-out=found.tf", "-no-color"]];
  await rm(join(folder.path, "all.tfquery.hcl"));
  await writeFile(
    join(folder.path, "vpc.tfquery.hcl"),
    'list "kcloud_vpc" "all" {\n  provider = kcloud\n}\n',
  );
  emulator.faults.add({ target: "get_vpc", kind: "404", when: "before" });
  const { code, output } = await folder.run(["query", `-var=vpc_id=${vpc_id}`, ...args]);
  expect([code, output]).toEqual([0, expect.stringContaining("was omitted from the list")]);
  emulator.faults.clear();
  emulator.faults.add({ target: "get_vpc_list", kind: "403", when: "before" });
  const refused = await folder.run([
    "query",
    `-var=vpc_id=${vpc_id}`,
    "-generate-config-out=more.tf",
    "-no-color",
  ]);
  expect([refused.code, refused.output]).toEqual([
    1,
    expect.stringContaining("Looking for every VPC failed"),
  ]);
});

describe.each(identifying)("%s", (_, engine) => {
  test("the configuration of a query imports by identity, without a change", async () => {
    await made();
    const folder = await open(terraform);
    await cp(example, folder.path, { recursive: true });
    await run(folder, "init");
    await run(folder, "query", `-var=vpc_id=${krnOf("vpc", "net")}`, "-generate-config-out=found.tf");
    const found = await readFile(join(folder.path, "found.tf"), "utf8");
    expect(found).not.toMatch(/^ {2}(id|status) /m);
    const fresh = await open(engine);
    await configure(fresh, {});
    // The configuration of a rule needs what the API never returns, so that it is left out.
    expect(found).not.toContain("kcloud_security_group_rule");
    await writeFile(join(fresh.path, "found.tf"), found);
    await run(fresh, "init");
    const before = writes();
    const kinds = (await run(fresh, "plan")).match(/Plan: .*/)?.[0];
    // The only subnet of the VPC counts as its primary one.
    expect(found).not.toContain("kcloud_subnet");
    expect(kinds).toBe("Plan: 6 to import, 0 to add, 0 to change, 0 to destroy.");
    await run(fresh, "apply", "-auto-approve");
    expect(await run(fresh, "plan", "-detailed-exitcode")).toContain("No changes.");
    expect(writes()).toEqual(before);
  });

  test("the configuration of a query for a VPC and its primary subnet is applied without a change, and destroyed", async () => {
    const folder = await open(terraform);
    await cp(example, folder.path, { recursive: true });
    const vpc = { name: "alone", primary_subnet: { name: "only", cidr: "10.0.1.0/24" } };
    const maker = await open(terraform);
    await configure(maker, { resource: { kcloud_vpc: { alone: vpc } } });
    await run(maker, "init");
    await run(maker, "apply", "-auto-approve");
    await run(folder, "init");
    const args = [`-var=vpc_id=${krnOf("vpc", "alone")}`, "-no-color"];
    expect(flat(await run(folder, "query", ...args))).toMatch(/list\.kcloud_subnet\.all .* only/);
    const output = flat(await run(folder, "query", ...args, "-generate-config-out=found.tf"));
    expect(output).toContain('The subnet "only" was omitted from the list');
    const fresh = await open(engine);
    await configure(fresh, {});
    await cp(join(folder.path, "found.tf"), join(fresh.path, "found.tf"));
    await run(fresh, "init");
    expect(await run(fresh, "apply", "-auto-approve")).toContain(
      "1 imported, 0 added, 0 changed, 0 destroyed",
    );
    // Import blocks of deleted objects would import them again.
    expect(await run(fresh, "destroy", "-auto-approve")).toContain("1 destroyed");
    expect([krnOf("vpc", "alone"), krnOf("subnet", "only")]).toEqual(["", ""]);
  });

  test("an incomplete identity, or one of a missing object, is rejected with the problem", async () => {
    await made();
    const folder = await open(engine);
    const block = (identity: object) => ({
      import: [{ to: "kcloud_volume.one", identity }],
      resource: {
        kcloud_volume: { one: { vpc_id: krnOf("vpc", "net"), name: "one", size_gb: 1, volume_type: "ssd" } },
      },
    });
    await configure(folder, block({ id: krnOf("volume", "one") }));
    await run(folder, "init");
    const incomplete = await folder.run(["plan", "-no-color"]);
    expect([incomplete.code, incomplete.output]).toEqual([1, expect.stringMatching(/vpc_id/)]);
    await configure(folder, block({ id: krnOf("volume", "one"), vpc_id: krnOf("volume", "two") }));
    const wrong = await folder.run(["plan", "-no-color"]);
    expect(flat(wrong.output)).toContain("vpc_id: is the ID of a volume, but the ID of a VPC is required");
  });
});

test.each(engines)("%s works with a state with identities, and with one without", async (_, engine) => {
  const folder = await made();
  const file = join(folder.path, "terraform.tfstate");
  const text = (await readFile(file, "utf8")).replace(/"terraform_version": "[^"]*"/, older);
  expect(text).toContain('"identity": {');
  const without = text
    .replace(/,\s*"identity_schema_version": 0/g, "")
    .replace(/,\s*"identity": \{[^}]*\}/g, "");
  expect(without).not.toContain('"identity');
  for (const content of [text, without]) {
    const other = await open(engine);
    await cp(join(folder.path, "main.tf.json"), join(other.path, "main.tf.json"));
    await writeFile(join(other.path, "terraform.tfstate"), content);
    await run(other, "init");
    expect(await run(other, "plan", "-detailed-exitcode")).toContain("No changes.");
  }
});

test.each(engines.filter(([, { name, version }]) => name !== "terraform" || version.startsWith("1.11.")))(
  "%s ignores query files",
  async (_, engine) => {
    const folder = await open(engine);
    await cp(example, folder.path, { recursive: true });
    await run(folder, "init");
    expect(await run(folder, "plan", "-var=vpc_id=krn:x")).toContain("No changes.");
  },
);
