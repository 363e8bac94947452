import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { snakeCase, terraformType } from "../../provider/core/name.ts";
import { resources } from "../../resources/index.ts";
import { attributeOf, type Expression, inlined, parseHcl } from "../../tools/docs/hcl.ts";
import { importsOf } from "../adapter/lifecycle/lifecycle.ts";
import { root } from "../repository/repository.ts";
import { resource as definition } from "../support/cloud.ts";
import type { Case } from "./case.ts";
import { providerBlock } from "./configuration.ts";
import { type Imported, importSteps, reference, refusalOf } from "./importation.ts";

/** Cases of the examples of all resources, but for those with `for_each`, which the harness does not support. */

/** Returns an expression as a text whose references the harness resolves; undefined for any other expression. */
function templateOf(expression: Expression): string | undefined {
  if (expression.kind === "literal") return String(expression.value);
  if (expression.kind !== "reference") return undefined;
  const [type, name, attribute] = expression.path;
  return reference(`${type}.${name}`, String(attribute));
}

/** Returns the object of an example that is imported; undefined if its configuration has what the harness cannot run. */
function importedOf(kind: string, text: string): Imported | undefined {
  if (/\bfor_each\b|^module /m.test(text)) return undefined;
  const file = parseHcl(text);
  const type = terraformType(kind);
  const found = file.blocks.find(({ type: block, labels }) => block === "resource" && labels[0] === type);
  if (found === undefined) throw new Error(`the example of ${kind} has no ${type}`);
  const inputs = Object.fromEntries(
    Object.keys(definition(kind).fields).flatMap((name) => {
      const isSet = found.attributes.some(([known]) => known === snakeCase(name));
      const template = isSet ? templateOf(inlined(attributeOf(found, snakeCase(name)), file)) : undefined;
      return template === undefined ? [] : [[name, template]];
    }),
  );
  const address = `${type}.${found.labels[1]}`;
  const item = { name: kind, resource: kind, inputs };
  const [target] = importsOf([item], { [kind]: reference(address, "id") }, String(inputs.vpcId ?? ""));
  return { resource: definition(kind), address, id: target?.id ?? "" };
}

/** Cases of the examples of all resources: create, refresh, imports. */
export const examples: readonly Case[] = (
  await Promise.all(
    resources.map(async ({ name }): Promise<Case[]> => {
      const file = await readFile(join(root, "examples", name, "main.tf"), "utf8");
      const text = file
        // The harness writes the configuration into a file of another name, and changes it; the lock file stays the same.
        .replaceAll("${path.module}/main.tf", ".terraform.lock.hcl")
        // The harness cannot read the state after an import if an output is null.
        .replaceAll(/^output "\w+" \{\n(?: .*\n)*\}\n/gm, "");
      const imported = importedOf(name, text);
      if (imported === undefined) return [];
      return [
        {
          name: `example/${name}`,
          emulator: { taskMs: 20 },
          imported: { isRefused: refusalOf(imported.resource, false) !== undefined },
          steps: (url, features, changed) => [
            { config: `${text}\n${providerBlock(url)}` },
            { refresh: true },
            ...importSteps(imported, refusalOf(imported.resource, false), features, changed),
          ],
        },
      ];
    }),
  )
).flat();
