import { spawn } from "node:child_process";
import { rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { actions, ephemerals, functions, lookups } from "../../functions/index.ts";
import { type SchemaDocument, schemaDocument } from "../../provider/terraform/codec/document.ts";
import { describeProvider } from "../../provider/terraform/codec/provider-schema.ts";
import { resources } from "../../resources/index.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const require = createRequire(import.meta.url);
const { version } = require("../../package.json");
const flavours = ["cdktf", "cdktn"] as const;

/** Returns the schema document of all definitions, for this version of the provider. */
export const providerDocument = (version: string): SchemaDocument =>
  schemaDocument(describeProvider({ resources, lookups, actions, functions, ephemerals }), version);

/**
 * Generates the bindings for CDKTF and CDKTN from the provider's schema: sources in `generated/`, compiled files in
 * `dist`. Needs no registry and no engine. Rejects with the output of the generator or the compiler.
 */
export async function emitBindings(dist: string): Promise<void> {
  const document = providerDocument(version);
  await Promise.all(
    flavours.map((flavour) => generateBindings(flavour, document, join(root, "generated", flavour))),
  );
  await run([
    require.resolve("typescript/lib/tsc.js"),
    "-p",
    join(root, "tools/tsconfig.cdktf.json"),
    "--outDir",
    dist,
  ]);
}

/** Generates the sources of the bindings for one library. Replaces the folder. */
export async function generateBindings(
  flavour: (typeof flavours)[number],
  document: SchemaDocument,
  folder: string,
): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  const main = fileURLToPath(new URL("main.ts", import.meta.url));
  await run([main, flavour, folder], JSON.stringify(document));
}

/** Environment in which a generator neither runs an engine to read its version nor sends usage reports. */
const environment = { ...process.env, CHECKPOINT_DISABLE: "1", TERRAFORM_BINARY_NAME: "none" };

async function run(args: string[], input = ""): Promise<void> {
  const child = spawn(process.execPath, args, { env: environment });
  const ended = new Promise<number | null>((resolve, reject) =>
    child.on("error", reject).on("close", resolve),
  );
  child.stdin.end(input);
  const [code, out, err] = await Promise.all([ended, text(child.stdout), text(child.stderr)]);
  if (code !== 0) throw new Error(err || out);
}
