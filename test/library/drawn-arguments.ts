import { customer } from "../../emulator/state/id.ts";
import type { Operation } from "../../operation/operation.ts";
import type { NamedOperation } from "../../operation/operations.ts";
import { type JsonSchema, parameterSchema } from "../../operation/schema.ts";
import type { Values } from "../../provider/core/value.ts";
import { check } from "../../provider/definition/check.ts";
import { publicKey } from "../resources/public-key.ts";

/** Arguments of operations that are drawn by seed. Each text occurs once, so that a request shows where it is. */

/** Values of parameters whose texts have a form. */
const formed: { readonly [name: string]: (draw: () => number) => unknown } = {
  cidr: () => "10.0.0.0/24",
  podCidr: (draw) => `10.${draw() % 200}.0.0/16`,
  serviceCidr: (draw) => `10.${draw() % 200}.0.0/20`,
  gatewayIp: (draw) => `10.0.0.${(draw() % 200) + 1}`,
  ipVersion: () => 4,
  protocol: () => "tcp",
  remoteIpPrefix: (draw) => `10.${draw() % 200}.0.0/16`,
  publicKey: (draw) => publicKey(draw() % 50),
  statements: (draw) => `[{"n":"s${draw()}"}]`,
  listeners: (draw) => `[{"listener_data":{"n":"s${draw()}"}}]`,
  srcLanguage: () => "eng_Latn",
  tgtLanguage: () => "hin_Deva",
  podName: (draw) => `pod-${draw()}`,
  image: (draw) => `https://images.example/disk-${draw()}.qcow2`,
  region: () => "In-Bangalore-1",
  customerId: () => customer,
  sortBy: () => "createdAt",
  address: (draw) => `https://storage.example/${draw()}`,
};

const kinds: { readonly [kind: string]: string } = { "security-group": "sg" };

const idOf = (kind: string, number: number): string => {
  const uuid = `00000000-0000-4000-8000-${String(number).padStart(12, "0")}`;
  return `krn:x:In-Bangalore-1:000000000000:11111111-2222-4333-8444-555555555555:${kinds[kind] ?? kind}:${uuid}`;
};

/** Names of parameters whose texts follow the rule of copies: small letters, digits, dots and hyphens. */
const nameOfCopy = new Set(["create_snapshot", "create_backup"]);

/** Returns a function that draws numbers from a seed, each of them once. */
export function numbersFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state;
  };
}

function draw(schema: JsonSchema, name: string, references: string | undefined, next: () => number): unknown {
  const form = formed[name];
  if (form !== undefined) return form(next);
  if (references !== undefined) return idOf(references, next() % 1_000_000);
  if (schema.enum !== undefined) return schema.enum[next() % schema.enum.length];
  switch (schema.type) {
    case "string":
      return `${name.toLowerCase()}-${next()}`;
    case "integer":
      // Of five digits, so that no other part of a request contains it.
      return Math.max(schema.minimum ?? 0, 10_000) + (next() % 50_000);
    case "boolean":
      return next() % 2 === 0;
    case "array":
      return [draw(schema.items ?? {}, `${name}-item`, undefined, next)];
    default:
      if (schema.properties === undefined) return { [`label${next()}`]: `value-${next()}` };
      return drawRecord(schema, next);
  }
}

const drawRecord = (
  { properties = {}, required = [] }: JsonSchema,
  next: () => number,
  fields?: Operation["fields"],
) =>
  Object.fromEntries(
    Object.entries(properties).flatMap(([name, schema]) => {
      if (!required.includes(name) && next() % 2 === 0) return [];
      const field = fields?.[name];
      const references = field?.kind === "field" ? field.options.references : undefined;
      return [[name, draw(schema, name, references, next)]];
    }),
  );

/** Returns valid arguments of an operation, drawn by seed; those of combinations that its rules refuse are drawn again. */
export function drawArguments({ operation, name }: NamedOperation, seed: number): Values {
  const next = numbersFrom(seed);
  for (let tries = 0; tries < 1_000; tries++) {
    const written = drawRecord(parameterSchema(operation), next, operation.fields) as Values;
    if (nameOfCopy.has(name)) written.name = `copy-${next()}`;
    if (check(operation, written).problems.length === 0) return written;
  }
  throw new Error(`no valid arguments for ${name}`);
}
