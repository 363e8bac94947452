import { topicOf } from "../../command/help/help.ts";
import { emulatorCommand } from "../../emulator/cli/option.ts";
import { createEmulator } from "../../emulator/emulator.ts";
import { coverage, coveringText } from "../operation-coverage.ts";
import { alignedTable, mark, type Page } from "./markdown.ts";

/** Writes the pages of the operations of the API, with the definitions that send them. */

/** Titles of the sections of the contract. Comments in the sources cite the sections too. */
const sections: Readonly<Record<string, string>> = {
  "1.2": "Signing in",
  "2.1": "VPCs",
  "2.2": "Subnets and networks",
  "2.3": "Ports and floating IPs",
  "3": "Security groups and their rules",
  "4": "SSH keys",
  "5": "Images and instance types",
  "6": "Instances",
  "7": "Instance templates and batches",
  "8": "Volumes, snapshots and backups",
  "9.1": "Buckets",
  "9.2": "Access keys",
  "9.3": "Lifecycle rules",
  "9.4": "Policies of buckets and accounts",
  "9.5": "Sessions and objects",
  "10": "AI pods",
  "11": "Users and permissions",
  "12": "Inference tasks and checkpoints",
  "13": "Text services",
  "14": "Document intelligence",
  "18": "Further services",
};

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
  readonly built: boolean;
}

/** Returns all known operations of the API. */
export async function listOperations(): Promise<readonly ListedOperation[]> {
  const response = await createEmulator().fetch("http://127.0.0.1/_emulator/operations");
  return (await response.json()) as readonly ListedOperation[];
}

/** Returns the title of a section. Throws for one without a title. */
function titleOf(name: string): string {
  const title = sections[name];
  if (title === undefined) throw new Error(`section ${name} of the contract has no title`);
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
      const covering = coverage[operation.name];
      if (covering === undefined) throw new Error(`no definition is named for ${operation.name}`);
      return [`\`${operation.name}\``, `\`${requestOf(operation)}\``, coveringText(covering)];
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
