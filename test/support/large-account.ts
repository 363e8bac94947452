import type { Emulator } from "../../emulator/emulator.ts";
import { gatherSettings } from "../../provider/config/config.ts";
import { pulumiToken, snakeCase, terraformType } from "../../provider/core/name.ts";
import type { ResourceState } from "../../provider/core/state.ts";
import type { Value, Values } from "../../provider/core/value.ts";
import { engine } from "../../provider/engine/engine.ts";
import { openSession } from "../../provider/engine/session.ts";
import { realPorts } from "../../provider/platform/real-ports.ts";
import { type Item, isRef, type Stack, type Written, type WrittenValue } from "../adapter/adapter.ts";
import { fullStack } from "../adapter/full-stack/stack.ts";
import { environment } from "../adapter/lifecycle/lifecycle.ts";
import { resource } from "./cloud.ts";

/** Stack of a large account: the full stack, and three departments with a VPC each. */

const of = (ref: string) => ({ ref, property: "id" });
const several = (count: number, make: (at: number) => Item): Item[] =>
  Array.from({ length: count }, (_, at) => make(at));

function department(name: string): Stack {
  const vpcId = of(name);
  const nth = (kind: string, at: number) => `${name}-${kind}-${at}`;
  /** Returns `count` items of a resource, each with a name that starts with the department. */
  const many = (count: number, kind: string, inputs: (at: number) => Written): Item[] =>
    several(count, (at) => ({
      name: nth(kind, at),
      resource: kind,
      inputs: { vpcId, name: nth(kind, at), ...inputs(at) },
    }));
  const unnamed = (items: Item[]): Item[] =>
    items.map(({ inputs: { name: _, ...inputs }, ...item }) => ({ ...item, inputs }));
  const subnetId = of(nth("subnet", 0));
  const open = { direction: "ingress", protocol: "tcp", remoteIpPrefix: "0.0.0.0/0" };
  return [
    { name, resource: "vpc", inputs: { name } },
    ...many(6, "subnet", (at) => ({ cidr: `10.0.${at}.0/24` })),
    ...many(8, "security-group", () => ({})),
    ...unnamed(
      many(8, "security-group-rule", (at) => ({ ...open, securityGroupId: of(nth("security-group", at)) })),
    ),
    ...many(20, "volume", () => ({ sizeGb: 1, volumeType: "ssd", metadata: { of: name } })),
    ...many(5, "port", () => ({ subnetId })),
    ...many(3, "floating-ip", () => ({ subnetId })),
    ...many(5, "instance", (at) => ({
      subnetId,
      instanceType: "c1.small",
      sshkeyName: "demo-key",
      securityGroups: [of(nth("security-group", 0))],
      volumeId: of(nth("volume", at)),
    })),
    ...unnamed(
      many(5, "volume-attachment", (at) => ({
        volumeId: of(nth("volume", at + 5)),
        instanceId: of(nth("instance", at)),
      })),
    ),
  ];
}

export const largeAccount: Stack = [...fullStack, ...["sales", "support", "research"].flatMap(department)];

/** Creates a stack in the cloud at `baseUrl`, as an engine does. References must point to earlier items. */
export async function make(stack: Stack, baseUrl: string): Promise<Readonly<Record<string, ResourceState>>> {
  const session = openSession(gatherSettings({}, environment(baseUrl)), realPorts);
  const stop = new AbortController().signal;
  const made = new Map<string, Promise<ResourceState>>();

  async function resolved(value: WrittenValue): Promise<Value> {
    if (isRef(value)) {
      const { id = null, values } = (await made.get(value.ref)) as ResourceState;
      return value.property === "id" ? id : (values[value.property] ?? null);
    }
    if (Array.isArray(value)) return Promise.all(value.map(resolved));
    return typeof value === "object" && value !== null ? inputsOf(value as Written) : (value as Value);
  }

  const inputsOf = async (written: Written): Promise<Values> =>
    Object.fromEntries(
      await Promise.all(
        Object.entries(written).map(async ([name, value]) => [name, await resolved(value)] as const),
      ),
    );

  async function create({ resource: kind, inputs }: Item): Promise<ResourceState> {
    const checked = engine.check(resource(kind), await inputsOf(inputs));
    return engine.create(session, resource(kind), checked.inputs, { stop });
  }

  for (const item of stack) {
    const work = create(item);
    // The `Promise.all` below reports the failure.
    work.catch(() => {});
    made.set(item.name, work);
  }
  return Object.fromEntries(
    await Promise.all([...made].map(async ([name, state]) => [name, await state] as const)),
  );
}

const letter = { language: "english", fileType: "Digital", content: "Name: Ana" };

/** Required values that the API never returns, by resource. A user must add them to a generated program. */
const hidden: Readonly<Record<string, Readonly<Record<string, string | number | readonly string[]>>>> = {
  "security-group-rule": { direction: "ingress", protocol: "tcp", remoteIpPrefix: "0.0.0.0/0" },
  image: { instanceId: "i-1" },
  "instance-batch": { templateId: "t-1" },
  "access-key": { name: "key" },
  "account-policy": { statements: "[]" },
  object: { content: "one" },
  "document-text": letter,
  "document-information": { ...letter, entities: ["PII"] },
  "document-summary": { ...letter, wordCountForSummarization: 40 },
  "document-masking": { ...letter, keysToMask: ["Name"] },
};

/** Generated text with the `hidden` values filled in, and the number of resources that have some. */
interface Filled {
  readonly text: string;
  readonly count: number;
}

/** Returns the `hidden` values of a type as literals, which HCL and YAML write in the same way. */
const hiddenOf = (type: string, typeOf: (kind: string) => string): [name: string, literal: string][] =>
  Object.entries(hidden).flatMap(([kind, fields]) =>
    typeOf(kind) === type
      ? Object.entries(fields).map(([name, value]): [string, string] => [name, JSON.stringify(value)])
      : [],
  );

/** Fills the `hidden` values into a Terraform configuration, in which they are `null`. */
export function filledConfiguration(generated: string): Filled {
  let count = 0;
  const text = generated.replace(/^resource "(\w+)" [\s\S]*?^}$/gm, (block, type: string) => {
    const fields = hiddenOf(type, terraformType);
    if (fields.length > 0) count += 1;
    return fields.reduce(
      (rest, [name, literal]) =>
        rest.replace(new RegExp(`^(  ${snakeCase(name)} +=) null`, "m"), `$1 ${literal}`),
      block,
    );
  });
  return { text, count };
}

/** Fills the `hidden` values into a Pulumi program in YAML, in which they are empty, a placeholder or missing. */
export function filledProgram(generated: string): Filled {
  let count = 0;
  const text = generated
    .replace(/^ {6}\w+: ""\n/gm, "")
    .replace(
      /^( {4}type: (kcloud:\w+)\n)( {4}properties:\n)?((?: {6}.*\n)*)/gm,
      (block, head: string, type: string, _, rest: string) => {
        const fields = hiddenOf(type.replace(":", ":index:"), pulumiToken);
        if (fields.length === 0) return block;
        count += 1;
        const others = fields.reduce(
          (text, [name]) => text.replace(new RegExp(`^ {6}${name}:.*\\n(?: {7,}.*\\n)*`, "m"), ""),
          rest,
        );
        const filled = fields.map(([name, literal]) => `      ${name}: ${literal}\n`).join("");
        return `${head}    properties:\n${filled}${others}`;
      },
    );
  return { text, count };
}

/** Returns the existing objects, except sessions, which reads open and which expire. */
export const existingObjects = ({ inventory }: Emulator) =>
  inventory.list().filter(({ kind }) => kind !== "object_session");
