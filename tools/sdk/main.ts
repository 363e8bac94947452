import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { goArchive, pythonArchives } from "../release/sdk.ts";
import { generateProject } from "./language.ts";

/**
 * `npm run sdk -- FOLDER`: writes the SDKs for Python and Go, as projects and as the archives of a release, into a folder.
 */

const [folder, ...others] = process.argv.slice(2);
if (folder === undefined || others.length > 0) {
  console.error("Usage: npm run sdk -- FOLDER");
  process.exit(2);
}

async function write(name: string, data: Uint8Array): Promise<void> {
  const file = join(folder as string, name);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, data);
}

const [python, go] = await Promise.all([generateProject("python"), generateProject("go")]);
for (const [path, data] of python) await write(`python/${path}`, data);
for (const [path, data] of go) await write(`go/${path}`, data);
for (const { name, data } of [...(await pythonArchives(python)), await goArchive(go)]) {
  await write(name, data);
  console.log(`${join(folder, name)}: ${data.length} bytes`);
}
