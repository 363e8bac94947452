import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { className } from "../../../provider/core/name.ts";
import type { Engine } from "../../../tools/engines/engine.ts";
import { type Adapter, isRef, type Stack, type WrittenValue } from "../../adapter/adapter.ts";
import { programs } from "./built.ts";
import { pulumiAdapter } from "./pulumi.ts";

/** Runs programs in YAML with the real Pulumi CLI and the built plugin. */

/** Replaces each reference in a written value by an expression. */
function written(value: WrittenValue): unknown {
  if (isRef(value)) return `\${${value.ref}.${value.property}}`;
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(written);
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, written(part)]));
}

/** Returns project and program as one file, in JSON, which is valid YAML. */
export const program = (stack: Stack): string =>
  JSON.stringify({
    name: "proj",
    runtime: "yaml",
    plugins: { providers: [{ name: "kcloud", path: programs }] },
    resources: Object.fromEntries(
      stack.map(({ name, resource, inputs }) => [
        name,
        { type: `kcloud:${className(resource)}`, properties: written(inputs as WrittenValue) },
      ]),
    ),
  });

/** Returns the adapter of YAML programs. `engine` must have the YAML language host. */
export function yamlAdapter(engine: Engine): Adapter {
  const under = pulumiAdapter(engine, "pulumi");
  return {
    ...under,
    name: "YAML and the Pulumi plugin",
    async open(folder, environment) {
      const workspace = await under.open(folder, environment);
      return { ...workspace, write: (stack) => writeFile(join(folder, "Pulumi.yaml"), program(stack)) };
    },
  };
}
