import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "@jest/globals";
import { snakeCase, terraformType } from "../../provider/core/name.ts";
import { scopeFields } from "../../provider/definition/resource.ts";
import { listable } from "../../provider/terraform/codec/provider-schema.ts";
import { resources } from "../../resources/index.ts";
import { type Engine, ensureEngine } from "../../tools/engines/engine.ts";
import { fullStack } from "../adapter/full-stack/stack.ts";
import { environment, importable, importsOf } from "../adapter/lifecycle/lifecycle.ts";
import { openSite } from "../support/engine/open-site.ts";
import { configure, type Folder, succeed } from "../support/engine/terraform.ts";
import { engines } from "../support/engine/terraform-engine.ts";
import { existingObjects, filledConfiguration, largeAccount, make } from "../support/large-account.ts";

/** Configurations that engines generate for existing objects: they import the objects and change none of them. */

/** Engines that support identities; Terraform 1.11 does not. */
const identifying = engines.filter(([, { version }]) => !version.startsWith("1.11."));
const limit = 180_000;

const site = openSite({ taskMs: 20, assume: { podRead: "pod" } }, { isContinued: true });
const { emulator } = site;
let ids: Readonly<Record<string, string>>;
/** Configuration that the query generated. */
let found: string;

beforeAll(async () => {
  const made = await make(largeAccount, site.url);
  ids = Object.fromEntries(Object.entries(made).map(([name, { id = "" }]) => [name, id]));
}, limit);

const run = (folder: Folder, ...args: string[]) => succeed(folder, args);

async function open(engine: Engine, configuration: object = {}): Promise<Folder> {
  const opened = await site.open(engine, environment(site.url));
  await configure(opened, configuration);
  await run(opened, "init");
  return opened;
}

/**
 * Plans and applies a configuration that imports `imports` objects and records fields that the API does not return for
 * `count` of them. Checks that the apply changes nothing in the cloud.
 */
async function applyImports(folder: Folder, imports: number, count: number) {
  const before = existingObjects(emulator);
  expect((await run(folder, "plan", "-out=planned")).match(/Plan: .*/)?.[0]).toBe(
    `Plan: ${imports} to import, 0 to add, ${count} to change, 0 to destroy.`,
  );
  await run(folder, "apply", "planned");
  expect(await run(folder, "plan", "-detailed-exitcode")).toContain("No changes.");
  expect(existingObjects(emulator)).toEqual(before);
}

/** Fields that scope a listing: kind of the scope in the inventory, and the property with the field's value. */
const scopes = {
  vpcId: { kind: "vpc", by: "krn" },
  bucketId: { kind: "bucket", by: "krn" },
  name: { kind: "ssh_key", by: "name" },
} as const;
const isScope = (name: string | undefined): name is keyof typeof scopes =>
  name !== undefined && Object.hasOwn(scopes, name);

/** Returns a list block per listable resource and scope: the region, each VPC, each bucket or each SSH key. */
const blocks = (): string[] =>
  listable(resources).flatMap((resource) => {
    const parent = Object.keys(scopeFields(resource)).find((name) => name !== "region");
    const block = (at: number, config: string) =>
      `list "${terraformType(resource.name)}" "all_${at}" {\n  provider = kcloud\n  limit = 1000\n${config}}\n`;
    if (!isScope(parent)) return [block(0, "")];
    const { kind, by } = scopes[parent];
    return emulator.inventory
      .list()
      .filter((item) => item.kind === kind)
      .map((item, at) =>
        block(at, `  config {\n    ${snakeCase(parent)} = ${JSON.stringify(item[by])}\n  }\n`),
      );
  });

const countOf = (kind: string): number =>
  emulator.inventory.list().filter((item) => item.kind === kind).length;

test(
  "a query generates the configuration of more than 200 objects with one or two listings per scope",
  async () => {
    const query = await open(await ensureEngine("terraform"));
    const lists = blocks();
    await writeFile(join(query.path, "all.tfquery.hcl"), lists.join("\n"));
    const before = emulator.log.entries().length;
    await run(query, "query", "-generate-config-out=found.tf");
    const sent = emulator.log.entries().length - before;
    // Listings show only part of VPCs and of instances' ports, so each VPC and each instance needs a read.
    expect(sent).toBeLessThan(2 * lists.length + countOf("vpc") + countOf("instance"));
    found = await readFile(join(query.path, "found.tf"), "utf8");
    expect(existingObjects(emulator).length).toBeGreaterThan(200);
  },
  limit,
);

describe.each(identifying)("%s", (_, engine) => {
  test(
    "imports the whole configuration of a query and changes nothing",
    async () => {
      const imports = found.match(/^import \{$/gm)?.length ?? 0;
      expect(imports).toBeGreaterThan(150);
      const opened = await open(engine);
      await writeFile(join(opened.path, "found.tf"), found);
      await applyImports(opened, imports, 0);
    },
    limit,
  );
});

describe.each(engines)("%s", (_, engine) => {
  test(
    "generates the configuration of every resource that is imported by its id, and changes nothing",
    async () => {
      const imports = importsOf(importable(fullStack), ids, ids.network ?? "");
      const blocks = (extra: object) => ({
        import: imports.map(({ name, resource, id }) => ({
          to: `${terraformType(resource)}.${name}`,
          id,
          ...extra,
        })),
      });
      // Terraform 1.16.0 looks for the provider of an import without a resource in its default namespace.
      const opened = await open(engine, blocks(engine.version === "1.16.0" ? { provider: "kcloud" } : {}));
      // The plan reports fields that are still to be filled in, so its exit code is not checked.
      await opened.run(["plan", "-generate-config-out=generated.tf", "-no-color"]);
      const file = join(opened.path, "generated.tf");
      const { text, count } = filledConfiguration(await readFile(file, "utf8"));
      await writeFile(file, text);
      await configure(opened, blocks({}));
      await applyImports(opened, imports.length, count);
    },
    limit,
  );
});
