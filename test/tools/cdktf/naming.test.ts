import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { terraformSource } from "../../../provider/core/name.ts";
import type {
  AttributeDocument,
  SchemaDocument,
  TypeDocument,
} from "../../../provider/terraform/codec/document.ts";
import { generateBindings, providerDocument } from "../../../tools/cdktf/cdktf.ts";

const text: AttributeDocument = { type: "string", optional: true };
const object = (...names: string[]): AttributeDocument => ({
  nested_type: { nesting_mode: "single", attributes: Object.fromEntries(names.map((name) => [name, text])) },
  optional: true,
});
const typed = (attributes: { readonly [name: string]: AttributeDocument }): TypeDocument => ({
  version: 0,
  block: { attributes },
});
const named = (...names: string[]) => typed(Object.fromEntries(names.map((name) => [name, text])));

const document = (
  types: Partial<SchemaDocument["provider_schemas"][string]>,
  source = terraformSource,
): SchemaDocument => ({
  format_version: "0.2",
  provider_schemas: {
    [source]: {
      provider: named(),
      resource_schemas: {},
      data_source_schemas: {},
      ephemeral_resource_schemas: {},
      functions: {},
      ...types,
    },
  },
  provider_versions: { [source]: "1.2.3" },
});

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "kcloud-bindings-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe.each(["cdktf", "cdktn"] as const)("bindings for %s", (flavour) => {
  const generate = (schema: SchemaDocument) => generateBindings(flavour, schema, join(folder, flavour));

  test("keep every name of every definition", async () => {
    await generate(providerDocument("1.2.3"));
    const index = await readFile(join(folder, flavour, "index.ts"), "utf8");
    for (const name of ["KcloudProvider", "Vpc", "Subnet", "Volume", "DataKcloudVpc", "DataKcloudVpcs"])
      expect(index).toMatch(RegExp(`^export \\{.*\\b${name} `, "m"));
    // CDKTF supports neither ephemeral resources nor functions.
    for (const name of ["EphemeralKcloudAccessToken", "KcloudProviderFunctions"])
      expect(RegExp(`^export \\{.*\\b${name} `, "m").test(index)).toBe(flavour === "cdktn");
  });

  test("reject names that they would rename, drop or hide", async () => {
    const schema = document({
      provider: named("node"),
      resource_schemas: {
        kcloud_version: named("name"),
        kcloud_volume: typed({ qos: object("limit") }),
        kcloud_volume_qos: named("equals", "get_more", "fqn", "a_b1", "a_b_1"),
        kcloud_vpc: typed({ settings: object("self", "to_string") }),
      },
      data_source_schemas: { kcloud_vpc: named("software") },
    });
    await expect(generate(schema)).rejects.toThrow(
      new Error(
        [
          `no bindings for ${flavour}:`,
          "kcloud_version: its class would be VersionResource, not Version",
          "kcloud_volume_qos: its class would be VolumeQosA, not VolumeQos",
          "kcloud_volume_qos.equals: it would become equalTo, not equals",
          "kcloud_volume_qos.get_more: it would become fetchMore, not getMore",
          "kcloud_volume_qos.fqn: every construct has a fqn of its own, which it would hide",
          "kcloud_volume_qos.a_b1: another attribute becomes aB1 too",
          "kcloud_vpc.settings.self: it would become selfAttribute, not self",
          "kcloud_vpc.settings.to_string: every construct has a toString of its own, which it would hide",
          "provider.node: it would become nodeAttribute, not node",
          "data.kcloud_vpc.software: it would become softwareAttribute, not software",
        ].join("\n"),
      ),
    );
  });

  test("reject a schema with another provider", async () => {
    await expect(generate(document({}, "kcloud/kcloud"))).rejects.toThrow(
      new Error(`no bindings for ${flavour}:\nthere is no provider registry.terraform.io/kcloud/kcloud`),
    );
  });

  test("reject a type that no binding can represent", async () => {
    const tuple: AttributeDocument = { type: ["tuple", ["string", "number"]], optional: true };
    await expect(
      generate(document({ resource_schemas: { kcloud_vpc: typed({ pair: tuple }) } })),
    ).rejects.toThrow(new Error(`no bindings for ${flavour}:\nunknown type ["tuple",["string","number"]]`));
  });
});
