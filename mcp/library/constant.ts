import { existsSync, readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { brotliCompressSync } from "node:zlib";
import { allSchemas } from "./schema.ts";

/** Folders of pages for users, and pages of the folder above them. */
const folders = ["resources", "data-sources", "actions", "ephemeral-resources", "functions", "guides"];
const single = [
  "index",
  "emulator",
  "install-without-node",
  "messages",
  "operations",
  "review",
  "rules",
  "work-in-a-team",
];

const docs = fileURLToPath(new URL("../../docs/", import.meta.url));

const textOf = (name: string): string => readFileSync(`${docs}${name}.md`, "utf8");

/**
 * Returns the pages and schemas of the documentation by their names, as compressed JSON in Base64. The bundler runs this function
 * and replaces it with its result (tools/bundle.ts), since the single executable has no files next to it.
 */
export const constants = (): { readonly library: string } => {
  const inFolders = folders.flatMap((folder) =>
    readdirSync(`${docs}${folder}`)
      .filter((file) => file.endsWith(".md"))
      .map((file) => `${folder}/${file.replace(/\.md$/, "")}`),
  );
  const names = [...single.filter((name) => existsSync(`${docs}${name}.md`)), ...inFolders.toSorted()];
  const library = {
    pages: Object.fromEntries(names.map((name) => [name, textOf(name)])),
    schemas: allSchemas(),
  };
  return { library: brotliCompressSync(JSON.stringify(library)).toString("base64") };
};
