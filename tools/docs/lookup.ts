import { objectCode, textCode } from "../../account/export/code.ts";
import { startOfLine } from "../../account/export/layout.ts";
import { typescriptLiteral, typescriptText } from "../../account/export/typescript-syntax.ts";
import { lookups } from "../../functions/index.ts";
import {
  camelCase,
  capital,
  className,
  fieldName,
  pascalCase,
  plural,
  snakeCase,
  terraformType,
} from "../../provider/core/name.ts";
import { membersOf } from "../../provider/definition/shape.ts";
import { argumentLines, block } from "./minimal.ts";

/**
 * Examples of data sources. Each one looks up objects of the scenario `existing-account` (`emulator/cli/scenario.ts`), and has an
 * output. `test/terraform/lookup-page.test.ts` runs all of them.
 */

/** Attribute of another block: the key of the block, then the path of the attribute, such as `accessKeys[0].id`. */
interface Reference {
  readonly of: string;
  readonly path: readonly (string | number)[];
}

/** Block of the examples. Names of attributes are those of definitions. */
interface Use {
  /** Name of the data source. Default: the key of the block. */
  readonly lookup?: string;
  /** Name of the resource, if the block creates an object. */
  readonly resource?: string;
  /** Label of the block in HCL. Default: `example`. */
  readonly label?: string;
  readonly inputs?: Readonly<Record<string, string | number | Reference>>;
  /** Key of the block that must be applied before. */
  readonly after?: string;
  /** Setting of the provider that the request needs, with the value for these objects. */
  readonly setting?: string;
  /** Attribute that the output has; for a list, that of its elements. Default: `name`. */
  readonly result?: string;
}

const of = (key: string, ...path: readonly (string | number)[]): Reference => ({ of: key, path });
const inVpc = { vpcId: of("vpc", "id") };
const user = "SERVICE_USER=ana";
const inBucket = { bucketId: of("bucket", "id") };

/** Blocks by their keys. The key of the block with the example of a data source is the name of that data source. */
const uses: Readonly<Record<string, Use>> = {
  vpc: { inputs: { name: "PRODUCTION - do not touch!" }, result: "networkId" },
  vpcs: {},
  subnet: { inputs: { ...inVpc, name: "subnet-1" }, result: "cidr" },
  subnets: { inputs: inVpc, result: "cidr" },
  port: { inputs: { ...inVpc, name: "printer" }, result: "macAddress" },
  ports: { inputs: { ...inVpc, subnetId: of("subnet", "id") }, result: "macAddress" },
  "floating-ip": { inputs: { ...inVpc, instanceName: "web01" }, result: "address" },
  "floating-ips": { inputs: inVpc, result: "address" },
  "security-group": { inputs: { ...inVpc, name: "db/intern" }, result: "id" },
  "security-groups": { inputs: inVpc },
  "web-group": {
    ...{ lookup: "security-group", label: "web" },
    inputs: { ...inVpc, name: 'web "public"' },
  },
  "security-group-rule": {
    inputs: { ...inVpc, securityGroupId: of("web-group", "id") },
    result: "id",
  },
  "security-group-rules": { inputs: inVpc, result: "id" },
  "ssh-key": { inputs: { name: "ana@laptop" }, result: "publicKey" },
  "ssh-keys": {},
  volume: { inputs: { ...inVpc, name: "orders" }, result: "sizeGb" },
  volumes: { inputs: { ...inVpc, volumeType: "ssd" } },
  "volume-types": { inputs: inVpc },
  instance: { inputs: { ...inVpc, name: "web01" }, result: "ipAddress" },
  instances: { inputs: { ...inVpc, status: "ACTIVE" } },
  "volume-attachment": { inputs: { ...inVpc, volumeId: of("volume", "id") }, result: "device" },
  "volume-attachments": { inputs: inVpc, result: "device" },
  "instance-template": { inputs: { name: "player v2 (final)" }, result: "instanceType" },
  "instance-templates": {},
  "vpc-of-batch": { lookup: "vpc", label: "test", inputs: { name: "test" } },
  "instance-batch": {
    inputs: { vpcId: of("vpc-of-batch", "id"), name: "load test" },
    result: "machineCount",
  },
  "instance-batches": { inputs: { vpcId: of("vpc-of-batch", "id") } },
  "instance-type": { inputs: { name: "c1.small" }, result: "cpus" },
  "instance-types": {},
  image: { inputs: { name: "web golden 2023-11" }, result: "id" },
  images: {},
  bucket: { inputs: { name: "acme-backups" }, result: "url" },
  buckets: { inputs: { search: "acme" } },
  "lifecycle-rule": { inputs: { ...inBucket, name: "90 days" }, result: "expirationDays" },
  "lifecycle-rules": { inputs: inBucket },
  website: { lookup: "bucket", label: "website", inputs: { name: "website.acme.example" } },
  "bucket-policies": { inputs: { bucketId: of("website", "id") }, result: "id" },
  "bucket-policy": {
    inputs: { bucketId: of("website", "id"), id: of("bucket-policies", "bucketPolicies", 0, "id") },
    result: "readOnlyIps",
  },
  readme: {
    ...{ resource: "object", label: "readme" },
    inputs: { ...inBucket, key: "readme.txt", content: "Backups of the shop\n" },
  },
  object: { inputs: { ...inBucket, id: of("readme", "id") }, result: "sizeBytes" },
  objects: { inputs: inBucket, after: "readme", result: "key" },
  "object-content": {
    inputs: { ...inBucket, key: of("readme", "key") },
    after: "readme",
    result: "checksum",
  },
  "access-keys": { result: "createdAt" },
  "access-key": { inputs: { id: of("access-keys", "accessKeys", 0, "id") }, result: "createdAt" },
  "inference-task": { inputs: { name: "chat" }, setting: user, result: "serviceUrl" },
  "inference-tasks": { setting: user },
  checkpoints: { setting: user },
  regions: {},
};

/** Names of the data sources whose example is the one of a resource, with the name of the resource. */
const examplesOfResources: Readonly<Record<string, string>> = { "document-result": "document-information" };

/** Returns the name of the folder in `examples/` with the example of a data source; undefined if it is generated. */
export const exampleOf = (lookup: string): string | undefined => examplesOfResources[lookup];

function useOf(key: string): Use {
  const use = uses[key];
  if (use === undefined) throw new Error(`no example of the data source ${key}`);
  return use;
}

/** Returns the keys of a block and of those to which it refers, these first. */
function withReferences(key: string): string[] {
  const { inputs = {}, after } = useOf(key);
  const others = Object.values(inputs).flatMap((value) => (typeof value === "object" ? [value.of] : []));
  const all = [...others, ...(after === undefined ? [] : [after])].flatMap(withReferences);
  return [...new Set([...all, key])];
}

/** Output of an example. */
interface Output {
  /** Name in camel case. */
  readonly name: string;
  /** Attribute of the lookup. */
  readonly attribute: string;
  /** True for a list of objects, of which the output has one attribute each. */
  readonly hasElements: boolean;
  readonly result: string;
}

function outputOf(key: string): Output {
  const { result = "name" } = useOf(key);
  const definition = lookups.find(({ name }) => name === key);
  const list = fieldName(key);
  const shape = definition && membersOf(definition.fields)[list]?.shape;
  if (shape?.kind !== "list")
    return {
      name: `${fieldName(key)}${capital(result)}`,
      attribute: result,
      hasElements: false,
      result,
    };
  const one = lookups.find(({ name }) => plural(name) === key)?.name ?? key.replace(/s$/, "");
  return {
    name: `${fieldName(one)}${pascalCase(plural(result))}`,
    attribute: list,
    hasElements: shape.of.kind === "object",
    result,
  };
}

/** Returns the sentence about the objects of a generated example. */
export function exampleNote(key: string): string {
  const { setting } = useOf(key);
  const account =
    "The objects are those of the [emulator](../guides/emulator.md) with `--scenario existing-account`";
  return setting === undefined ? `${account}.` : `${account} and the setting \`${setting}\`.`;
}

/** Returns the examples of a data source in HCL. */
export function lookupHcl(key: string): string {
  const { name, attribute, hasElements, result } = outputOf(key);
  const value = `${hclAddress(key)}.${snakeCase(attribute)}${hasElements ? `[*].${snakeCase(result)}` : ""}`;
  const written = [
    ...withReferences(key).map(hclBlock),
    block(`output "${snakeCase(name)}"`, argumentLines([["value", value]], "  ")),
  ];
  return written.join("\n\n");
}

const labelOf = ({ label = "example" }: Use): string => label;

/** Returns the address of a block in HCL, such as `data.kcloud_vpc.example`. */
function hclAddress(key: string): string {
  const use = useOf(key);
  const { lookup = key, resource } = use;
  return resource === undefined
    ? `data.${terraformType(lookup)}.${labelOf(use)}`
    : `${terraformType(resource)}.${labelOf(use)}`;
}

const pathText = (path: readonly (string | number)[], spelled: (name: string) => string): string =>
  path.map((part) => (typeof part === "number" ? `[${part}]` : `.${spelled(part)}`)).join("");

function hclBlock(key: string): string {
  const use = useOf(key);
  const { lookup = key, resource, inputs = {}, after } = use;
  const header =
    resource === undefined ? `data "${terraformType(lookup)}"` : `resource "${terraformType(resource)}"`;
  const values = Object.entries(inputs).map(([name, value]) => {
    const text =
      typeof value === "object"
        ? `${hclAddress(value.of)}${pathText(value.path, snakeCase)}`
        : JSON.stringify(value);
    return [snakeCase(name), text] as const;
  });
  const dependency = after === undefined ? [] : [["depends_on", `[${hclAddress(after)}]`] as const];
  return block(`${header} "${labelOf(use)}"`, argumentLines([...values, ...dependency], "  "));
}

/** Returns the examples of a data source as a Pulumi program. */
export function lookupProgram(key: string): string {
  const { name, attribute, hasElements, result } = outputOf(key);
  const keys = withReferences(key);
  const imports = [...new Set(keys.map(symbolOf))].toSorted((a, b) =>
    a.toLowerCase() < b.toLowerCase() ? -1 : 1,
  );
  const elements = hasElements ? `.apply((all) => all.map(({ ${result} }) => ${result}))` : "";
  return [
    `import { ${imports.join(", ")} } from "@kcloud/iac/pulumi";`,
    "",
    ...keys.map(statement),
    "",
    `export const ${name} = ${fieldName(key)}.${attribute}${elements};`,
  ].join("\n");
}

/** Returns the function or class of a block. */
function symbolOf(key: string): string {
  const { lookup = key, resource } = useOf(key);
  return resource === undefined ? `get${pascalCase(lookup)}Output` : className(resource);
}

function statement(key: string): string {
  const use = useOf(key);
  const { resource, inputs = {}, after } = use;
  const values = Object.entries(inputs).map(([name, value]) => {
    const text =
      typeof value === "object"
        ? `${fieldName(value.of)}${pathText(value.path, camelCase)}`
        : typescriptLiteral(value);
    return [name, textCode(text)] as const;
  });
  const start = `const ${fieldName(key)} = ${resource === undefined ? "" : "new "}${symbolOf(key)}(${resource === undefined ? "" : `"${labelOf(use)}", `}`;
  const options = after === undefined ? "" : `, { dependsOn: ${fieldName(after)} }`;
  const text = typescriptText(objectCode(values), {
    ...startOfLine,
    before: start.length,
    after: options.length + 2,
  });
  return `${start}${values.length === 0 ? "" : text}${options});`;
}
