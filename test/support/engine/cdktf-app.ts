import { text } from "node:stream/consumers";
import { className } from "../../../provider/core/name.ts";
import { isRef, type Stack } from "../../adapter/adapter.ts";

/**
 * `node cdktf-app.ts cdktf` (or `cdktn`): app that reads a stack from standard input, builds its constructs and prints the
 * Terraform configuration.
 */

type Construct = Readonly<Record<string, unknown>>;
type Constructor = new (scope: object, name: string, inputs: object) => Construct;

interface Library {
  readonly App: new () => object;
  readonly TerraformStack: new (app: object, name: string) => { readonly toTerraform: () => object };
}

const [flavour = ""] = process.argv.slice(2);
const library: Library = await import(flavour);
const bindings: Readonly<Record<string, Constructor>> = await import(`@kcloud/iac/${flavour}`);

const bound = (name: string): Constructor => {
  const found = bindings[name];
  if (found === undefined) throw new Error(`@kcloud/iac/${flavour} has no ${name}`);
  return found;
};

const items: Stack = JSON.parse(await text(process.stdin));
const stack = new library.TerraformStack(new library.App(), "stack");
new (bound("KcloudProvider"))(stack, "kcloud", {});
const constructs = new Map<string, Construct>();

/** Replaces each reference in a written value by the property of a construct. */
const resolved = (value: unknown): unknown => {
  if (isRef(value)) return constructs.get(value.ref)?.[value.property];
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(resolved);
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, resolved(part)]));
};

for (const { name, resource, inputs } of items)
  constructs.set(name, new (bound(className(resource)))(stack, name, resolved(inputs) as object));

process.stdout.write(JSON.stringify(stack.toTerraform()));
