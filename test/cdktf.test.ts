import { execFile } from "node:child_process";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";

const run = promisify(execFile);
const example = (flavour: string) =>
  fileURLToPath(new URL(`../examples/stack/${flavour}/main.ts`, import.meta.url));

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "kcloud-synth-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** What the constructs say of a resource beside its attributes. */
const of = (name: string) => ({ "//": { metadata: { path: `shop/${name}`, uniqueId: name } } });

describe.each([
  { flavour: "cdktf", version: "0.21.0" },
  { flavour: "cdktn", version: "0.24.0" },
])("the $flavour app of the stack", ({ flavour, version }) => {
  test("writes the same configuration, without a word", async () => {
    const cwd = await mkdtemp(join(folder, flavour));
    const { stdout, stderr } = await run(process.execPath, [example(flavour)], { cwd });
    expect(stdout + stderr).toBe("");
    expect(await readdir(cwd)).toEqual(["cdktf.out"]);
    expect(JSON.parse(await readFile(join(cwd, "cdktf.out/stacks/shop/cdk.tf.json"), "utf8"))).toEqual({
      "//": {
        metadata: { backend: "local", stackName: "shop", version },
        outputs: {
          shop: {
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
          kcloud: { source: "registry.terraform.io/kcloud/kcloud", version: "0.1.0" },
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
        orders_status: { value: "${kcloud_volume.orders.status}" },
        // biome-ignore-end lint/suspicious/noTemplateCurlyInString: references in the engine's language.
      },
    });
  });
});
