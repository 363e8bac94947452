import { spawn } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { terraformType } from "../../../provider/core/name.ts";
import type { Engine } from "../../../tools/engines/engine.ts";
import type { Adapter, Stack } from "../../adapter/adapter.ts";
import { terraformAdapter } from "./terraform.ts";

/** Apps of CDKTF and CDKTN. The real engines apply their configurations. */

export type Flavour = "cdktf" | "cdktn";

const app = fileURLToPath(new URL("cdktf-app.ts", import.meta.url));

/** Returns the configuration that an app generates from a stack. */
export async function synthesized(flavour: Flavour, stack: Stack): Promise<string> {
  const child = spawn(process.execPath, [app, flavour], { stdio: ["pipe", "pipe", "inherit"] });
  child.stdin.end(JSON.stringify(stack));
  return text(child.stdout);
}

export function cdktfAdapter(flavour: Flavour, engine: Engine): Adapter {
  const under = terraformAdapter(engine);
  return {
    ...under,
    name: `${flavour} and ${under.name}`,
    importsByApply: true,
    async open(folder, environment) {
      const workspace = await under.open(folder, environment);
      return {
        ...workspace,
        async write(stack) {
          await workspace.write(stack);
          await writeFile(join(folder, "main.tf.json"), await synthesized(flavour, stack));
        },
        // As `importFrom` of an app: import blocks, and one apply.
        async import(objects) {
          const blocks = objects.map(({ name, resource, id }) => ({
            to: `${terraformType(resource)}.${name}`,
            id,
          }));
          await writeFile(join(folder, "import.tf.json"), JSON.stringify({ import: blocks }));
          return workspace.apply();
        },
      };
    },
  };
}
