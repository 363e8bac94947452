import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";
import { topicOf } from "../../command/help/help.ts";
import { emulatorCommand } from "../../emulator/cli/option.ts";
import { createEmulator } from "../../emulator/emulator.ts";
import { commonFields } from "../../emulator/inventory/form.ts";
import { inventorySchema, inventoryVersion } from "../../emulator/inventory/inventory.ts";
import { offerOf } from "../../mcp/operation/offer.ts";
import { possibleEffect } from "../../operation/destruction/destruction.ts";
import { allOperations, type NamedOperation } from "../../operation/operations.ts";
import { coveringOf, coveringText } from "../operation-coverage.ts";
import { alignedTable, mark, type Page } from "./markdown.ts";

/** Writes the pages of the operations of the API, with the definitions that send them. */

/** Titles of the sections of the contract by number, which comments in the sources cite too. */
const serviceTitles: ReadonlyMap<string, string> = new Map(
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
  /** Resource kind of the emulator, as `ssh_key`; undefined if the emulator does not implement the operation. */
  readonly kind?: string;
  /** True if the emulator implements the operation. */
  readonly built: boolean;
}

/** Returns all known operations of the API. */
export async function listOperations(): Promise<readonly ListedOperation[]> {
  const response = await createEmulator().fetch("http://127.0.0.1/_emulator/operations");
  return (await response.json()) as readonly ListedOperation[];
}

/** Returns the title of a section. Throws if the contract does not have it. */
function titleOf(name: string): string {
  const title = serviceTitles.get(name);
  if (title === undefined) throw new Error(`docs/contract.md has no section ${name}`);
  return title;
}

/** Returns method, path and query of an operation. */
export const requestOf = ({ method, path, select }: ListedOperation): string =>
  `${method} ${path}${select ? `?${new URLSearchParams(select)}` : ""}`;

function serviceSection(name: string, operations: readonly ListedOperation[]): string {
  const rows = operations.map((operation) => [
    `\`${operation.name}\``,
    `\`${requestOf(operation)}\``,
    operation.source,
    operation.built ? "yes" : "501",
  ]);
  return `## ${titleOf(name)} (${name})\n\n${alignedTable([["operation", "request", "source", "implemented"], ...rows])}\n`;
}

/** Members of the JSON schema of an object in an inventory. */
interface RowSchema {
  readonly properties: Readonly<Record<string, { readonly const?: string }>>;
  readonly required: readonly string[];
}

/** Returns the section of the inventory: its kinds with their fields. */
function inventorySection(): string {
  const schema = z.toJSONSchema(inventorySchema, { io: "input" });
  const objects = schema.properties?.objects as unknown as {
    readonly items: { readonly oneOf: readonly RowSchema[] };
  };
  const rows = objects.items.oneOf.map(({ properties, required }) => {
    const names = Object.keys(properties).filter((name) => !(name in commonFields));
    const written = (isRequired: boolean) =>
      names
        .filter((name) => required.includes(name) === isRequired)
        .map((name) => `\`${name}\``)
        .join(", ");
    return [`\`${properties.kind?.const}\``, written(true), written(false)];
  });
  return `## Inventories

An inventory is a JSON file with \`version\` ${inventoryVersion}, \`time\`, optionally \`account\`, \`customer\` and \`assumed\`, and \`objects\`. Each object has a \`kind\`, a
\`krn\` and a \`name\`, and may have \`createdAt\`, \`updatedAt\` and \`failure\`, the reason why its creation failed. A reference is the KRN
of another object of the inventory. The schema of the package, \`@kcloud/iac/schema/emulator-inventory.json\`, describes each field.

${alignedTable([["kind", "required fields", "optional fields"], ...rows])}
`;
}

async function emulatorPage(): Promise<string> {
  const operations = await listOperations();
  const built = operations.filter((operation) => operation.built).length;
  const intro = `# Emulator reference

${mark}

The emulator implements ${built} of the ${operations.length} known operations of the API; the others return 501.
\`kcloud emulator --operations\` prints the list. The column "source" is the origin of an operation: an interface document of
the API (\`seed\`), only published clients (\`client\`), or an assumption of this project (\`assumption\`). The numbers in
parentheses are sections of [the contract](contract.md).
`;
  const command = `## The command\n\n\`\`\`text\n${topicOf(emulatorCommand)}\`\`\`\n`;
  const bySection = Map.groupBy(operations, (operation) => operation.section);
  return [
    intro,
    command,
    inventorySection(),
    ...[...bySection].map(([name, found]) => serviceSection(name, found)),
  ].join("\n");
}

/** Returns the row of an operation in the table of operations. */
function inTable(name: string): NamedOperation {
  const row = allOperations().find((each) => each.name === name);
  if (row === undefined) throw new Error(`operation/ has no ${name}`);
  return row;
}

/** Returns the tools that call an operation, or that it is called by none. */
function toolsText(row: NamedOperation): string {
  const offer = offerOf(row, { hasPasswords: true });
  if ("reason" in offer) return "none";
  const tools = offer.tools.filter((tool) => tool !== "preview_destruction").map((tool) => `\`${tool}\``);
  const needsPassword = row.operation.endpoint.semantics === "guarded-delete";
  return `${tools.join(", ")}${needsPassword ? " with a one-time password" : ""}`;
}

/** Returns the page of the operations of the interface documents, with the definitions that send them, and their methods of the client. */
async function operationsPage(): Promise<string> {
  const operations = (await listOperations()).filter(({ source }) => source === "seed");
  const intro = `# Operations of the API's documents

${mark}

The interface documents of the API describe ${operations.length} operations. The column "provider" has the definitions that send an operation:
resources, unless another kind is named. Pulumi has the same definitions: \`kcloud_volume\` is \`kcloud:index:Volume\`. The column "client"
has the method of the [client library](guides/client.md), and "effect" says what the operation does to objects.

The column "tool" has the tools of the [tool server](guides/tool-server.md) that call an operation by its name, which exist with
\`--allow-writes\` only: \`destroy\` needs the digest of \`preview_destruction\`. Without that option, \`list_objects\`, \`get_object\` and
\`list_account\` send operations that read, and no other.
`;
  const parts = [...Map.groupBy(operations, ({ section }) => section)].map(([name, found]) => {
    const rows = found.map((operation) => {
      const covering = coveringText(coveringOf(operation));
      const row = inTable(operation.name);
      return [
        `\`${operation.name}\``,
        `\`${requestOf(operation)}\``,
        covering,
        `\`${row.area}.${row.method}\``,
        toolsText(row),
        possibleEffect(row),
      ];
    });
    return `## ${titleOf(name)} (${name})\n\n${alignedTable([["operation", "request", "provider", "client", "tool", "effect"], ...rows])}\n`;
  });
  return [intro, ...parts].join("\n");
}

/** Returns the pages of the operations. */
export const operationPages = async (): Promise<Page[]> => [
  { name: "emulator.md", text: await emulatorPage() },
  { name: "operations.md", text: await operationsPage() },
];
