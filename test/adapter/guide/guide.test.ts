import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { confinementOf } from "../../../rehearse/isolation/namespace.ts";
import { blocksOf, type Installation, openInstallation } from "./page.ts";

/** Runs every command of the guides in an empty folder in which the provider is installed by the installation guide. */

const folder = join(import.meta.dirname, "../../../docs/guides");
const install = await blocksOf("docs/guides/install.md");
const isSetUp = (text: string) => /^(npm|npx kcloud install terraform)/.test(text);
const setUp = install.filter(({ language, text }) => language === "sh" && isSetUp(text));

/** Blocks by the guide, for the guides that have commands. */
const guides: [name: string, blocks: typeof install][] = [];
for (const name of readdirSync(folder).toSorted()) {
  const blocks = await blocksOf(`docs/guides/${name}`);
  if (blocks.some(({ language }) => language === "sh")) guides.push([name, blocks]);
}

/** Checks the types of all programs of a page by its `tsconfig.json`. */
const typeCheck = { heading: "", language: "sh", text: "npx tsc\n", file: undefined };

let installation: Installation;

beforeAll(async () => {
  installation = await openInstallation(["terraform", "opentofu", "pulumi-yaml"]);
});
afterAll(() => installation.remove());

test("every guide has commands, except those that are lists", () => {
  const others = readdirSync(folder).filter((name) => !guides.some(([guide]) => guide === name));
  expect(others.toSorted()).toEqual(["errors.md", "limits.md", "timeouts.md"]);
  expect(setUp).toHaveLength(2);
});

/** Returns a block of the tool server with the option that its tools of a folder need on a machine without isolation. */
const whereUnconfined = <B extends { readonly text: string }>(block: B): B =>
  confinementOf(process.env).kind === "available"
    ? block
    : { ...block, text: block.text.replaceAll(/--folder infrastructure$/gm, "$& --allow-unconfined") };

test.each(guides)("the commands of %s run in an empty folder, one after the other", async (name, blocks) => {
  const { folder: place, output } = await installation.run([
    ...(name === "install.md" ? [] : setUp),
    ...blocks.map(name === "tool-server.md" ? whereUnconfined : (block) => block),
    ...(name === "client.md" ? [typeCheck] : []),
  ]);
  const page = readFileSync(join(folder, name), "utf8");
  for (const [, plan] of page.matchAll(/`(\d+ to import, [^`]*)`/g)) expect(output).toContain(plan);
  for (const line of textsOf(name, page)) expect(plain(output)).toContain(plain(line));
  if (name === "take-over.md") expect(changedObjects(place)).toEqual([]);
});

/** Guides whose blocks of text are output of their commands, in which `…` marks what is left out. */
const quoting = ["ci.md", "client.md", "pull-requests.md", "regions.md", "rehearse.md"];

/** Returns the lines of the output that a guide quotes. */
function textsOf(name: string, page: string): string[] {
  if (!quoting.includes(name)) return [];
  const blocks = [...page.matchAll(/^```text\n([\s\S]*?)^```$/gm)].map(([, text = ""]) => text);
  expect(blocks.length).toBeGreaterThan(0);
  return blocks.flatMap((text) => text.split(/\n|…/)).filter((line) => line.trim() !== "");
}

/** Returns a text in one line: engines break long lines. */
const plain = (text: string): string => text.replaceAll(/\s+/g, " ").trim();

/** Returns the objects of the emulator that were created, changed or deleted on the last day; sessions belong to reads. */
function changedObjects(place: string): string[] {
  const { tables } = JSON.parse(readFileSync(join(place, "cloud.json"), "utf8")) as {
    tables: Record<string, { krn: string; updatedAt: number; goneAt?: number; deletingAt?: number }[]>;
  };
  const { object_session: _, ...others } = tables;
  const objects = Object.values(others).flat();
  expect(objects.length).toBeGreaterThan(40);
  const since = Date.now() - 86_400_000;
  return objects
    .filter(({ updatedAt, goneAt, deletingAt }) => updatedAt > since || goneAt || deletingAt)
    .map(({ krn }) => krn);
}
