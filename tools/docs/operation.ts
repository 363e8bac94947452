import { readFileSync } from "node:fs";
import { join } from "node:path";
import { topicOf } from "../../command/help/help.ts";
import { emulatorCommand } from "../../emulator/cli/option.ts";
import { createEmulator } from "../../emulator/emulator.ts";
import { coveringOf, coveringText } from "../operation-coverage.ts";
import { alignedTable, mark, type Page } from "./markdown.ts";

/** Writes the pages of the operations of the API, with the definitions that send them. */

/** Titles of the sections of the contract by number, which comments in the sources cite too. */
const titles: ReadonlyMap<string, string> = new Map(
  [
    ...readFileSync(join(import.meta.dirname, "../../docs/contract.md"), "utf8").matchAll(
      /^#{2,3} (\d+(?:\.\d+)?) (.*)$/gm,
    ),
  ].map(([, section = "", title = ""]) => [section, title]),
);

/** Operation in the response of `GET /_emulator/operations`. */
export interface ListedOperation {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  /** Query values that distinguish operations with the same method and path. */
  readonly select?: Record<string, string>;
  /** Section of the contract. */
  readonly section: string;
  readonly source: string;
  /** Resource kind of the emulator, as `ssh_key`; undefined if the operation is not built. */
  readonly kind?: string;
  readonly built: boolean;
}

/** Returns all known operations of the API. */
export async function listOperations(): Promise<readonly ListedOperation[]> {
  const response = await createEmulator().fetch("http://127.0.0.1/_emulator/operations");
  return (await response.json()) as readonly ListedOperation[];
}

/** Returns the title of a section. Throws if the contract does not have it. */
function titleOf(name: string): string {
  const title = titles.get(name);
  if (title === undefined) throw new Error(`docs/contract.md has no section ${name}`);
  return title;
}

/** Returns method, path and query of an operation. */
export const requestOf = ({ method, path, select }: ListedOperation): string =>
  `${method} ${path}${select ? `?${new URLSearchParams(select)}` : ""}`;

function section(name: string, operations: readonly ListedOperation[]): string {
  const rows = operations.map((operation) => [
    `\`${operation.name}\``,
    `\`${requestOf(operation)}\``,
    operation.source,
    operation.built ? "yes" : "501",
  ]);
  return `## ${titleOf(name)} (${name})\n\n${alignedTable([["operation", "request", "source", "built"], ...rows])}\n`;
}

async function emulatorPage(): Promise<string> {
  const operations = await listOperations();
  const built = operations.filter((operation) => operation.built).length;
  const intro = `# What the emulator has

${mark}

Of the ${operations.length} operations that are known of the cloud, the emulator has ${built}; it answers 501 to the rest.
\`kcloud emulator --operations\` prints them. Source says who names an operation: a document of the cloud's interface
(\`seed\`), published clients alone (\`client\`), or nobody (\`assumption\`). In brackets are the sections of the cloud's
contract that the comments in the sources name.
`;
  const command = `## The command\n\n\`\`\`text\n${topicOf(emulatorCommand)}\`\`\`\n`;
  const bySection = Map.groupBy(operations, (operation) => operation.section);
  return [intro, command, ...[...bySection].map(([name, found]) => section(name, found))].join("\n");
}

/** Returns the page of the operations of the interface documents, with the definitions that send them. */
async function operationsPage(): Promise<string> {
  const operations = (await listOperations()).filter(({ source }) => source === "seed");
  const intro = `# Operations of the cloud's documents

${mark}

The documents of the cloud's interface describe ${operations.length} operations. Each is sent by the definitions in the last column:
resources, unless another kind is named. Pulumi has the same definitions: \`kcloud_volume\` is \`kcloud:index:Volume\`.
`;
  const parts = [...Map.groupBy(operations, ({ section }) => section)].map(([name, found]) => {
    const rows = found.map((operation) => {
      const covering = coveringText(coveringOf(operation));
      return [`\`${operation.name}\``, `\`${requestOf(operation)}\``, covering];
    });
    return `## ${titleOf(name)} (${name})\n\n${alignedTable([["operation", "request", "sent by"], ...rows])}\n`;
  });
  return [intro, ...parts].join("\n");
}

/** Returns the pages of the operations. */
export const operationPages = async (): Promise<Page[]> => [
  { name: "emulator.md", text: await emulatorPage() },
  { name: "operations.md", text: await operationsPage() },
];
