import { createRequire } from "node:module";
import { expect, test } from "@jest/globals";
import * as z from "zod/mini";
import { functions, lookups } from "../../../functions/index.ts";
import { className, dynamicProvider, fieldName, pascalCase } from "../../../provider/core/name.ts";
import { field, group } from "../../../provider/definition/field.ts";
import { defineResource } from "../../../provider/definition/resource.ts";
import { packageSchema } from "../../../provider/pulumi/schema/schema.ts";
import { resources } from "../../../resources/index.ts";
import { generateSdk } from "../../../tools/sdk/sdk.ts";
import { typeName } from "../../../tools/sdk/type.ts";

/** The generated classes: their text, and the classes of the built package. */

const require = createRequire(import.meta.url);
const pulumi: typeof import("@pulumi/pulumi") = require("@pulumi/pulumi");
type Class = {
  new (name: string, args?: object, opts?: object): Record<string, import("@pulumi/pulumi").Output<unknown>>;
  isInstance(value: unknown): boolean;
};
type Sdk = Record<string, Class>;
const [native, dynamic]: Sdk[] = [require("../../../dist/pulumi.js"), require("../../../dist/dynamic.js")];

interface Registered {
  readonly type: string;
  readonly name: string;
  readonly inputs: Record<string, unknown>;
}

/** Returns the resources that a program registers. */
async function registered(program: () => void): Promise<Registered[]> {
  const seen: Registered[] = [];
  await pulumi.runtime.setMocks(
    {
      newResource: ({ type, name, inputs }) => {
        seen.push({ type, name, inputs });
        return { id: `${name}-id`, state: { ...inputs, status: "available" } };
      },
      call: ({ token, inputs }) => ({ token, ...inputs }),
    },
    "proj",
    "dev",
    false,
  );
  program();
  await pulumi.runtime.disconnect();
  return seen.toSorted((a, b) => a.name.localeCompare(b.name));
}

const classOf = (sdk: Sdk | undefined, name: string): Class => {
  const found = sdk?.[name];
  if (found === undefined) throw new Error(`no class ${name}`);
  return found;
};
const known = (output: import("@pulumi/pulumi").Output<unknown> | undefined) =>
  new Promise((resolve) => output?.apply(resolve));

test("both adapters export the same classes, functions and enumerations; Provider, only the plugin", () => {
  const names = Object.keys(native ?? {}).filter((name) => name !== "Provider");
  expect(Object.keys(dynamic ?? {})).toEqual(names);
  const asked = [
    ...lookups.map(({ name }) => `get${pascalCase(name)}`),
    ...functions.map(({ name }) => fieldName(name)),
  ];
  const enumerations = Object.entries(packageSchema("1.0.0").types).flatMap(([token, type]) =>
    "enum" in type ? typeName(token) : [],
  );
  expect(native?.VolumeType).toEqual({
    Standard: "standard",
    Ssd: "ssd",
    HNSS: "HNSS",
    HNSSEncrypted: "HNSS_Encrypted",
  });
  expect(names.toSorted()).toEqual(
    [
      ...resources.map(({ name }) => className(name)),
      ...asked.flatMap((name) => [name, `${name}Output`]),
      ...enumerations,
    ].toSorted(),
  );
  expect(names).toEqual(expect.arrayContaining(["Vpc", "getVpc", "getVpcsOutput", "subnets", "userData"]));
});

test("both adapters share every type", () => {
  const texts = Object.fromEntries(generateSdk().map(({ file, text }) => [file, text]));
  expect(Object.keys(texts)).toEqual([
    "generated/types.ts",
    "generated/pulumi.ts",
    "generated/dynamic.ts",
    "generated/p.ts",
  ]);
  const shape = (text = "") =>
    text
      .split("\n")
      .filter(
        (line) =>
          /^ {2}(declare readonly|static|constructor)/.test(line) && !/__pulumiType|ProviderArgs/.test(line),
      );
  expect(shape(texts["generated/dynamic.ts"])).toEqual(shape(texts["generated/pulumi.ts"]));
  expect(texts["generated/types.ts"]).toContain(
    "  /** Size of the volume in GB. At least 1. Can be increased in place, but not decreased. */\n  readonly sizeGb: pulumi.Input<number>;\n",
  );
});

test("an input of an open set proposes its values and accepts any other; a value of a closed set is one of them", () => {
  const texts = Object.fromEntries(generateSdk().map(({ file, text }) => [file, text]));
  for (const line of [
    "  readonly volumeType: pulumi.Input<VolumeType | (string & {})>;",
    "  readonly direction: pulumi.Input<SecurityGroupRuleDirection>;",
    "  readonly ipVersion?: pulumi.Input<IpVersion> | undefined;",
    "  readonly direction?: pulumi.Input<SecurityGroupRuleDirection> | undefined;",
    'export const SecurityGroupRuleDirection = { Ingress: "ingress", Egress: "egress" } as const;',
    "export type VolumeType = (typeof VolumeType)[keyof typeof VolumeType];",
    "export const IpVersion = { V4: 4, V6: 6 } as const;",
  ])
    expect(texts["generated/types.ts"]).toContain(`${line}\n`);
  for (const line of [
    "  declare readonly volumeType: pulumi.Output<string>;",
    "  declare readonly direction: pulumi.Output<SecurityGroupRuleDirection>;",
  ])
    expect(texts["generated/pulumi.ts"]).toContain(`${line}\n`);
});

test("a class of the plugin registers its inputs and has every output", async () => {
  const Volume = classOf(native, "Volume");
  let made: InstanceType<Class> | undefined;
  const [resource] = await registered(() => {
    made = new Volume("data", { vpcId: "krn:1", sizeGb: 10, volumeType: "ssd" });
  });
  expect(resource).toEqual({
    type: "kcloud:index:Volume",
    name: "data",
    inputs: { vpcId: "krn:1", sizeGb: 10, volumeType: "ssd" },
  });
  expect(await known(made?.status)).toBe("available");
  expect(await known(made?.metadata)).toBeUndefined();
  expect(Volume.isInstance(made)).toBe(true);
  for (const other of [undefined, null, {}, 1]) expect(Volume.isInstance(other)).toBe(false);
  expect(classOf(native, "Vpc").isInstance(made)).toBe(false);
  expect(classOf(dynamic, "Volume").isInstance(made)).toBe(false);
});

test("a mistyped property is registered, so that check rejects it", async () => {
  const mistyped = { vpcId: "krn:1", sizeG: 10, volumeType: "ssd" };
  for (const sdk of [native, dynamic]) {
    const Volume = classOf(sdk, "Volume");
    const [resource] = await registered(() => void new Volume("data", mistyped));
    expect(resource?.inputs).toMatchObject(mistyped);
  }
});

test("a dynamic class registers the code that loads its handlers, and the program's name if no name is given", async () => {
  const Volume = classOf(dynamic, "Volume");
  const given = { vpcId: "krn:1", sizeGb: 10, volumeType: "ssd" };
  const seen = await registered(() => {
    new Volume("data", given);
    new Volume("named", { ...given, name: "mine" });
  });
  const type = "pulumi-nodejs:dynamic/kcloud:Volume";
  const __provider = dynamicProvider("volume");
  expect(__provider).toBe('exports.handler=()=>require("@kcloud/iac/p").Volume');
  expect(seen).toEqual([
    { type, name: "data", inputs: { ...given, __provider, __logicalName: "data" } },
    { type, name: "named", inputs: { ...given, name: "mine", __provider } },
  ]);
});

test("a provider registers its settings as text, as the stack's configuration has them", async () => {
  const Provider = classOf(native, "Provider");
  const [resource] = await registered(() => {
    new Provider("far", {
      region: "In-Hyderabad-1",
      maxRequestsPerSecond: 50,
      adoptExisting: true,
      apiKey: "k",
    });
  });
  expect(resource).toEqual({
    type: "pulumi:providers:kcloud",
    name: "far",
    inputs: {
      region: "In-Hyderabad-1",
      maxRequestsPerSecond: "50",
      adoptExisting: "true",
      apiKey: expect.objectContaining({ value: "k" }),
    },
  });
});

test("a secret property is secret as an input and as an output", () => {
  const contract = {
    name: "key",
    about: "A key.",
    category: "compute" as const,
    timeouts: { create: 1, read: 1, update: 1, delete: 1 },
    fields: {
      password: field(z.string(), "", { secret: true }),
      inner: group({ token: field(z.string(), "", { secret: true }) }, ""),
      plain: field(z.string(), ""),
    },
  };
  const verbs = { create: async () => ({}), read: async () => undefined, delete: async () => {} };
  const key = defineResource(contract)(verbs as never);
  const texts = generateSdk(packageSchema("1.0.0", { resources: [key], lookups: [] }));
  for (const adapter of ["pulumi", "dynamic"])
    expect(texts.find(({ file }) => file === `generated/${adapter}.ts`)?.text).toContain(
      '"secrets":["password","inner"]',
    );
});
