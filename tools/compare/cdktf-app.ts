import { createRequire } from "node:module";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { isRef } from "./stack.ts";

/**
 * `node cdktf-app.ts ROOT cdktf|cdktn`: builds an app with the bindings of the revision in ROOT and one construct for
 * each object of the stack on standard input. Prints the configuration of the app as JSON.
 */

type Construct = Readonly<Record<string, unknown>>;
type Constructor = new (scope: object, name: string, inputs: object) => Construct;

interface Item {
  readonly name: string;
  readonly className: string;
  readonly inputs: object;
}

interface Library {
  readonly App: new () => object;
  readonly TerraformStack: new (app: object, name: string) => { readonly toTerraform: () => object };
}

const [root = "", flavour = ""] = process.argv.slice(2);
const require = createRequire(join(root, "package.json"));
const library: Library = require(flavour);
const bindings: Readonly<Record<string, Constructor>> = require(`@kcloud/iac/${flavour}`);

const classOf = (name: string): Constructor => {
  const found = bindings[name];
  if (found === undefined) throw new Error(`@kcloud/iac/${flavour} has no ${name}`);
  return found;
};

const items: readonly Item[] = JSON.parse(await text(process.stdin));
const stack = new library.TerraformStack(new library.App(), "compared");
new (classOf("KcloudProvider"))(stack, "kcloud", {});
const constructs = new Map<string, Construct>();

/** Returns the inputs with each reference replaced by the property of its construct. */
const resolved = (value: unknown): unknown => {
  if (isRef(value)) return constructs.get(value.ref)?.[value.property];
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(resolved);
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, resolved(part)]));
};

for (const { name, className, inputs } of items)
  constructs.set(name, new (classOf(className))(stack, name, resolved(inputs) as object));

process.stdout.write(JSON.stringify(stack.toTerraform()));
