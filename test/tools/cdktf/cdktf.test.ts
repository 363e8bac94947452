import { execFile } from "node:child_process";
import { mkdtemp, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { describe, expect, test } from "@jest/globals";
import { providerDocument } from "../../../tools/cdktf/cdktf.ts";
import { terraformEngines } from "../../../tools/engines/engine.ts";
import { openSite } from "../../support/engine/open-site.ts";
import { settingsOf } from "../../support/engine/site.ts";
import { openFolder, required } from "../../support/engine/terraform.ts";

const run = promisify(execFile);
const engines = await terraformEngines();
const manifest = await readFile(new URL("../../../package.json", import.meta.url), "utf8");
const { version: published } = JSON.parse(manifest) as { version: string };

const site = openSite();
const { emulator } = site;

/** Runs the example in a new folder. */
async function synthesize(flavour: string) {
  const cwd = await mkdtemp(join(site.path, flavour));
  const app = fileURLToPath(new URL(`../../../examples/stack/${flavour}/main.ts`, import.meta.url));
  const { stdout, stderr } = await run(process.execPath, [app], { cwd });
  return { cwd, stack: join(cwd, "cdktf.out/stacks/shop"), printed: stdout + stderr };
}

/** Parts of the schema that engines print but generators ignore. */
const ignored = ["description_kind", "resource_identity_schemas", "list_resource_schemas", "action_schemas"];
const shown = (text: string) =>
  JSON.parse(text, (name, value) => (ignored.includes(name) ? undefined : value));

test.each(engines)("bindings are generated from the schema that $name $version reads", async (engine) => {
  const path = await site.folder();
  await writeFile(join(path, "main.tf.json"), JSON.stringify(required));
  const { run } = await openFolder(engine, path, {});
  await run(["init"]);
  const { output } = await run(["providers", "schema", "-json"]);
  const { provider_schemas } = shown(output);
  expect(provider_schemas).toEqual(providerDocument(published).provider_schemas);
});

/** Kinds of the objects after the apply. The network and the boot volume are created along with other objects. */
const expectedKinds = [
  "instance",
  "network",
  "port",
  "security_group",
  "security_group_rule",
  "security_group_rule",
  "ssh_key",
  "subnet",
  "subnet",
  "volume",
  "volume",
  "vpc",
];

/** Returns the metadata that the constructs add to a resource. */
const of = (name: string) => ({ "//": { metadata: { path: `shop/${name}`, uniqueId: name } } });

describe.each([
  { flavour: "cdktf", version: "0.21.0" },
  { flavour: "cdktn", version: "0.24.0" },
])("the $flavour app of the stack", ({ flavour, version }) => {
  test("writes the expected configuration and prints nothing", async () => {
    const { cwd, stack, printed } = await synthesize(flavour);
    expect(printed).toBe("");
    expect(await readdir(cwd)).toEqual(["cdktf.out"]);
    expect(JSON.parse(await readFile(join(stack, "cdk.tf.json"), "utf8"))).toEqual({
      "//": {
        metadata: { backend: "local", stackName: "shop", version },
        outputs: {
          shop: {
            database_address: "database_address",
            database_subnet: "database_subnet",
            network_name: "network_name",
            orders_status: "orders_status",
            vpc_id: "vpc_id",
          },
        },
      },
      terraform: {
        backend: { local: { path: join(cwd, "terraform.shop.tfstate") } },
        required_providers: {
          kcloud: { source: "registry.terraform.io/kcloud/kcloud", version: published },
        },
      },
      provider: { kcloud: [{}] },
      variable: {
        orders_size_gb: {
          type: "number",
          default: 20,
          description: "Size of the orders volume; it can grow.",
        },
      },
      resource: {
        kcloud_vpc: {
          network: {
            ...of("network"),
            name: "shop",
            description: "Everything the shop runs on",
            primary_subnet: { name: "web", cidr: "10.0.0.0/24" },
          },
        },
        kcloud_subnet: {
          database: {
            ...of("database"),
            // biome-ignore-start lint/suspicious/noTemplateCurlyInString: references in the engine's language.
            vpc_id: "${kcloud_vpc.network.id}",
            name: "database",
            cidr: "10.0.1.0/24",
          },
        },
        kcloud_security_group: {
          guard: { ...of("guard"), vpc_id: "${kcloud_vpc.network.id}", name: "database" },
        },
        kcloud_security_group_rule: {
          queries: {
            ...of("queries"),
            vpc_id: "${kcloud_vpc.network.id}",
            security_group_id: "${kcloud_security_group.guard.id}",
            direction: "ingress",
            protocol: "tcp",
            port_range_min: 5432,
            port_range_max: 5432,
            remote_ip_prefix: "10.0.0.0/24",
          },
          out: {
            ...of("out"),
            vpc_id: "${kcloud_vpc.network.id}",
            security_group_id: "${kcloud_security_group.guard.id}",
            direction: "egress",
            protocol: "all",
            remote_ip_prefix: "0.0.0.0/0",
          },
        },
        kcloud_ssh_key: {
          deploy: { ...of("deploy"), name: "deploy", public_key: expect.stringContaining("ssh-ed25519 ") },
        },
        kcloud_instance: {
          machine: {
            ...of("machine"),
            vpc_id: "${kcloud_vpc.network.id}",
            name: "database",
            subnet_id: "${kcloud_subnet.database.id}",
            instance_type: "c1.small",
            sshkey_name: "${kcloud_ssh_key.deploy.name}",
            security_groups: ["${kcloud_security_group.guard.id}"],
            boot_volume: {
              image_krn: "krn:vm:In-Bangalore-1:default:default:image:00000000-0000-4000-8000-000000000101",
              size_gb: 10,
              volume_type: "ssd",
            },
          },
        },
        kcloud_volume: {
          orders: {
            ...of("orders"),
            vpc_id: "${kcloud_vpc.network.id}",
            name: "orders",
            size_gb: "${var.orders_size_gb}",
            volume_type: "ssd",
            metadata: { team: "orders" },
          },
        },
      },
      output: {
        vpc_id: { value: "${kcloud_vpc.network.id}" },
        network_name: { value: "${kcloud_vpc.network.network_name}" },
        database_subnet: { value: "${kcloud_subnet.database.id}" },
        database_address: { value: "${kcloud_instance.machine.ip_address}" },
        orders_status: { value: "${kcloud_volume.orders.status}" },
        // biome-ignore-end lint/suspicious/noTemplateCurlyInString: references in the engine's language.
      },
    });
  });

  test.each(engines)("is applied and destroyed with $name $version", async (engine) => {
    const { stack } = await synthesize(flavour);
    const { run } = await openFolder(engine, stack, settingsOf(site.url));
    const done = async (command: string) => {
      const { code, output } = await run(command.split(" "));
      if (code !== 0) throw new Error(`${command} ended with ${code}:\n${output}`);
    };
    await done("init");
    await done("apply -auto-approve");
    const kinds = emulator.inventory.list().map(({ kind }) => kind);
    expect(kinds.sort()).toEqual(expectedKinds);
    await done("plan -detailed-exitcode");
    await done("destroy -auto-approve");
    expect(emulator.inventory.list()).toEqual([]);
  });
});
