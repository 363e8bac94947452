import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { expect, test } from "@jest/globals";
import ts from "typescript";
import { clientOperations } from "../../operation/operations.ts";
import { parameterSchema } from "../../operation/schema.ts";
import { operationTypes } from "../../tools/library/type.ts";
import { drawArguments } from "./drawn-arguments.ts";

test("the types of the client are those of the table", () => {
  expect(readFileSync("library/operation-type.ts", "utf8")).toBe(operationTypes());
});

const options: ts.CompilerOptions = {
  strict: true,
  exactOptionalPropertyTypes: true,
  noEmit: true,
  skipLibCheck: true,
  module: ts.ModuleKind.NodeNext,
  target: ts.ScriptTarget.ES2024,
  allowImportingTsExtensions: true,
  types: ["node"],
};

/** Returns the errors of a program in a file of this folder that does not exist. */
function errorsOf(text: string): string[] {
  const file = resolve("test/library/program.ts");
  const host = ts.createCompilerHost(options);
  const { getSourceFile, fileExists, readFile } = host;
  host.fileExists = (name) => name === file || fileExists(name);
  host.readFile = (name) => (name === file ? text : readFile(name));
  host.getSourceFile = (name, version, ...more) =>
    name === file ? ts.createSourceFile(name, text, version) : getSourceFile(name, version, ...more);
  const program = ts.createProgram([file], options, host);
  return ts.getPreEmitDiagnostics(program).map(({ file: at, start = 0, messageText }) => {
    const line = at === undefined ? 0 : at.getLineAndCharacterOfPosition(start).line;
    return `${at?.text
      .split("\n")
      .slice(line, line + 2)
      .join(" ")}: ${ts.flattenDiagnosticMessageText(messageText, "\n")}`;
  });
}

const head = `import type { Operations } from "../../library/operation-type.ts";
declare const client: Operations;
declare const wrong: unique symbol;
`;

test("for every operation, right arguments compile, and unknown, missing and wrong ones do not", () => {
  const lines = clientOperations().flatMap((row) => {
    const { area, method, operation } = row;
    const call = (args: string) => `void client.${area}.${method}(${args});`;
    const refused = (args: string) => ["// @ts-expect-error", call(args)];
    const content = operation.content === undefined ? {} : { content: new Uint8Array(1) };
    const valid = Object.entries({ ...drawArguments(row, 3), ...content }).map(
      ([name, value]) =>
        [name, value instanceof Uint8Array ? "new Uint8Array(1)" : JSON.stringify(value)] as const,
    );
    const object = (members: readonly (readonly [string, string])[]) =>
      `{ ${members.map(([name, value]) => `${name}: ${value}`).join(", ")} }`;
    const schema = parameterSchema(operation);
    const required = [...(schema.required ?? []), ...Object.keys(content)];
    const chosen = operation.alternatives.flat().filter((name) => valid.some(([other]) => other === name));
    return [
      call(object(valid)),
      ...refused(object([...valid, ["unknownParameter", "1"]])),
      ...[...required, ...chosen].flatMap((name) =>
        refused(object(valid.filter(([other]) => other !== name))),
      ),
      ...[...Object.keys(schema.properties ?? {}), ...Object.keys(content)].flatMap((name) =>
        refused(object([...valid.filter(([other]) => other !== name), [name, "wrong"]])),
      ),
    ];
  });
  expect(lines.length).toBeGreaterThan(1_500);
  expect(errorsOf(head + lines.join("\n"))).toEqual([]);
});

test("one of the alternatives compiles, with all of its arguments; none, a part of one, and two of them do not", () => {
  const values: { readonly [type: string]: string } = { string: '"a"', integer: "1", array: '["a"]' };
  const lines = clientOperations().flatMap((row) => {
    const { area, method, operation } = row;
    const { properties = {} } = parameterSchema(operation);
    const { alternatives } = operation;
    const common = Object.entries(drawArguments(row, 3)).filter(
      ([name]) => !alternatives.flat().includes(name),
    );
    const call = (names: readonly string[]) => {
      const chosen = names.map((name) => `${name}: ${values[properties[name]?.type ?? ""]}`);
      const others = common.map(([name, value]) => `${name}: ${JSON.stringify(value)}`);
      return `void client.${area}.${method}({ ${[...others, ...chosen].join(", ")} });`;
    };
    if (alternatives.length === 0) return [];
    const parts = alternatives.flatMap((group) =>
      group.length > 1 ? [group.slice(1), group.slice(0, -1)] : [],
    );
    const refused = [[], alternatives.flat(), ...parts].map((names) => `// @ts-expect-error\n${call(names)}`);
    return [...alternatives.map(call), ...refused];
  });
  expect(
    errorsOf(`${head}// @ts-expect-error\nvoid client.instance.deleteInstance();\n${lines.join("\n")}`),
  ).toEqual([]);
  expect(lines).toHaveLength(5 * 4 + 2 * 2);
});

test("responses have types, and fields that are only new are unknown", () => {
  expect(
    errorsOf(`${head}
async function use() {
  const volume = await client.volume.getVolume({ vpcId: "a", volumeId: "b" });
  const name: string | null | undefined = volume.name;
  const added: unknown = volume.addedLater;
  for await (const row of client.volume.listVolumes({ vpcId: "a" })) void [row.name satisfies typeof name, added];
  // @ts-expect-error a field that is only new has no type
  const text: string = volume.addedLater;
  // @ts-expect-error a response that is no list has no rows
  for await (const row of client.volume.getVolume({ vpcId: "a", volumeId: "b" })) void [row, text];
}
void use;`),
  ).toEqual([]);
});

test("the public types have no any", () => {
  const found = ["operation-type", "method", "option", "client-type", "error"].filter((name) => {
    const file = ts.createSourceFile(
      name,
      readFileSync(`library/${name}.ts`, "utf8"),
      ts.ScriptTarget.Latest,
      true,
    );
    const hasAny = (node: ts.Node): boolean =>
      node.kind === ts.SyntaxKind.AnyKeyword ||
      (ts.forEachChild(node, (child) => hasAny(child) || undefined) ?? false);
    return hasAny(file);
  });
  expect(found).toEqual([]);
});

test("each type, member and function that a program uses has a comment, apart from fields of responses", () => {
  const bare = ["client", "client-type", "error", "method", "option"].flatMap((name) => {
    const file = ts.createSourceFile(
      name,
      readFileSync(`library/${name}.ts`, "utf8"),
      ts.ScriptTarget.Latest,
      true,
    );
    const isPublic = (node: ts.Node) =>
      (ts.isInterfaceDeclaration(node) ||
        ts.isTypeAliasDeclaration(node) ||
        ts.isFunctionDeclaration(node)) &&
      node.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) === true;
    const nodes = file.statements
      .filter(isPublic)
      .flatMap((node): ts.Node[] => [node, ...(ts.isInterfaceDeclaration(node) ? node.members : [])]);
    expect(nodes.length).toBeGreaterThan(0);
    return nodes
      .filter((node) => ts.getJSDocCommentsAndTags(node).length === 0)
      .map((node) => `${name}: ${node.getText().split("\n")[0]}`);
  });
  expect(bare).toEqual([]);
});

test("each method and each argument has a comment", () => {
  const text = readFileSync("library/operation-type.ts", "utf8").split("\n");
  const bare = text.filter(
    (line, index) =>
      /^ {2}(\w+\(args|readonly \w+\??: (?!\w+Operations))/.test(line) && !text[index - 1]?.includes("*/"),
  );
  // Fields of responses are described by the contract.
  expect(bare.filter((line) => line.includes("(args"))).toEqual([]);
});
