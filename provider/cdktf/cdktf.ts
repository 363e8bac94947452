import { spawn } from "node:child_process";
import { rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { type SchemaDocument, schemaDocument } from "./schema.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const require = createRequire(import.meta.url);
const { version } = require("../../package.json");
const flavours = ["cdktf", "cdktn"] as const;

/**
 * Bindings for CDKTF and CDKTN out of our own schema: sources into `generated/`, what is made of them into `dist`.
 * Needs no registry and no engine. Fails with what the generator or the compiler says.
 */
export async function emitBindings(dist: string): Promise<void> {
  const document = schemaDocument(version);
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

/** The sources of one flavour's bindings, in place of what was in the folder. */
export async function generateBindings(
  flavour: (typeof flavours)[number],
  document: SchemaDocument,
  folder: string,
): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  const main = fileURLToPath(new URL("main.ts", import.meta.url));
  await run([main, flavour, folder], JSON.stringify(document));
}

/** A generator asks an engine for its version and reports to its maker, if it is not told otherwise. */
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
