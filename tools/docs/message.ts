import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { type Existence, existenceText } from "../../provider/core/error.ts";
import { type Remedy, remedyCodes, remedyText } from "../../provider/core/remedy.ts";
import { explainWarning, type Warning, warningCodes } from "../../provider/core/warning.ts";
import {
  assignment,
  attribute,
  capitalized,
  inWordsOf,
  joinTexts,
  mapText,
  type Text,
  wording,
} from "../../provider/core/wording.ts";
import { blocks, bullets, mark, type Page, section } from "./markdown.ts";

/** Writes the page of all messages, from the tables of codes and from the sentences in the sources. */

const root = join(import.meta.dirname, "../..");

/** Values of all parameters of remedies and warnings. */
const sample = {
  resource: "vpc",
  importId: "ID",
  importIds: ["ID-1", "ID-2"],
  objects: [{ kind: "volume", name: "NAME", id: "ID" }],
  object: { kind: "vpc", name: "NAME", id: "ID" },
  labels: ["NAME-1 (ID-1)", "NAME-2 (ID-2)"],
  account: "ACCOUNT",
  by: "name",
  subject: 'the volume "NAME"',
  id: "ID",
  status: "STATUS",
  wanted: "STATUS",
  why: "REASON",
  seconds: 120,
  task: "TASK",
  misses: 3,
  namesakes: ["OTHER-ID"],
  billed: "",
  canKeep: true,
  hasSecret: false,
  missing: ["sizeGb"],
  field: "sizeGb",
  fields: ["sizeGb"],
  reason: "REASON.",
  path: "PATH",
  source: "source",
  within: "instanceId",
  value: "VALUE",
  problem: "PROBLEM",
  idRegion: "REGION-1",
  recorded: "REGION-1",
  region: "REGION-2",
  described: 'The volume "NAME" (ID)',
  text: "REASON.",
  remedies: [],
  isSpent: true,
  isRecreated: true,
};

/** Returns a text as a list item: in the wording of Terraform and, if it differs, of Pulumi. */
function item(text: Text): string {
  const [terraform, pulumi] = (["terraform", "pulumi"] as const).map((words) => inWordsOf(words, text));
  return terraform === pulumi ? `${terraform}` : `${terraform} **Pulumi:** ${pulumi}`;
}

const remedyItems = remedyCodes.map((code) => {
  const text = remedyText([{ ...sample, code } as unknown as Remedy]);
  return `\`${code}\`: ${item(text)}`;
});

const warningItems = warningCodes.map((code) => {
  const by = code === "not-shown-yet" ? "a listing" : sample.by;
  const { summary, detail } = explainWarning({ ...sample, by, code } as unknown as Warning, sample.subject);
  return `\`${code}\`: ${item(wording`**${summary}.** ${capitalized(detail)}`)}`;
});

/** All states of an object after a failure, with sample values. */
const existences: readonly Existence[] = [
  { is: "nothing created" },
  { is: "not listed", seconds: 120 },
  { is: "recorded", id: "ID" },
  { is: "found", id: "ID" },
  { is: "may exist" },
  { is: "still exists" },
  { is: "exists", id: "ID" },
  { is: "gone" },
  { is: "half changed" },
  { is: "may be done" },
  { is: "may be billed" },
  { is: "may still run" },
  { is: "nothing changed" },
  { is: "unknown" },
];

/** Files without user-visible texts: generated code, and protocols between programs. */
const silent =
  /tfplugin6|\.d\.ts$|^provider\/(core\/(remedy|warning|wording|error|name)|grpc\/grpc|platform\/real-ports)|schema-rule\.ts|^provider\/client\/(redact|plain-text|multipart)/;

/** Properties and calls whose texts are not user-visible, or are descriptions on the pages of the definitions. */
const silentProperties = new Set([
  "about",
  "is",
  "kind",
  "failure",
  "credential",
  "usage",
  "holdsData",
  "replaceReason",
]);
const silentCalls = new Set([
  "log",
  "field",
  "computed",
  "group",
  "TypeError",
  "RegExp",
  "endpoint",
  "described",
  "join",
]);

const nameOf = (node: ts.Expression | ts.PropertyName): string =>
  ts.isPropertyAccessExpression(node) ? node.name.text : node.getText();

/** Returns true if a node is part of a text that the page omits. */
function isSilent(node: ts.Node): boolean {
  for (let current: ts.Node = node; current.parent !== undefined; current = current.parent) {
    const { parent } = current;
    if (ts.isLiteralTypeNode(parent) || ts.isImportDeclaration(parent) || ts.isExportDeclaration(parent))
      return true;
    if (ts.isBinaryExpression(parent) && parent.operatorToken.kind === ts.SyntaxKind.EqualsEqualsEqualsToken)
      return true;
    if (ts.isPropertyAssignment(parent) && silentProperties.has(parent.name.getText())) return true;
    const isCall = ts.isCallExpression(parent) || ts.isNewExpression(parent);
    if (isCall && current !== parent.expression && silentCalls.has(nameOf(parent.expression))) {
      // The options of a field contain texts of plans.
      if (!ts.isObjectLiteralExpression(current)) return true;
    }
    if (ts.isBlock(parent) || ts.isSourceFile(parent)) return false;
  }
  return false;
}

/** Returns the text of an expression within a template: an attribute or a value by its name, else `…`. */
function partOf(node: ts.Expression): Text {
  if (!ts.isCallExpression(node)) return "…";
  const [name, value] = node.arguments;
  if (name === undefined || !ts.isStringLiteral(name)) return "…";
  const called = node.expression.getText();
  if (called === "attribute" || called === "attributeCode") return attribute(name.text);
  if (called !== "assignment" || value === undefined) return "…";
  const known = ts.isStringLiteral(value)
    ? value.text
    : /^(true|false|\d+)$/.test(value.getText()) && JSON.parse(value.getText());
  return known === false && value.getText() !== "false" ? attribute(name.text) : assignment(name.text, known);
}

function textOf(node: ts.Node): Text | undefined {
  if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) return node.text;
  if (!ts.isTemplateExpression(node)) return undefined;
  return joinTexts(
    [
      node.head.text,
      ...node.templateSpans.flatMap(({ expression, literal }) => [partOf(expression), literal.text]),
    ],
    "",
  );
}

/** Returns true for words of a language, not of a protocol: at least two words in lower case. */
const isSentence = (text: string): boolean =>
  /\p{Ll}{2,}.* .*\p{Ll}{2,}/u.test(text) &&
  !/^(GET|PUT|POST|DELETE|PATCH) |^#|^Content-|[{}<>\\]|\n/.test(text);

/** Returns the distinct sentences of a file in their order. */
function sentencesOf(file: string): string[] {
  const source = ts.createSourceFile(
    file,
    readFileSync(join(root, file), "utf8"),
    ts.ScriptTarget.Latest,
    true,
  );
  const found = new Set<string>();
  const visit = (node: ts.Node) => {
    const text = textOf(node);
    if (text !== undefined && isSentence(inWordsOf("terraform", text)) && !isSilent(node))
      found.add(item(mapText(text, (form) => form.trim())));
    ts.forEachChild(node, visit);
  };
  visit(source);
  return [...found];
}

/** Groups of sources, by the start of their path. */
const groups = [
  ["Settings of the provider", /^provider\/config\//],
  ["Requests and responses", /^provider\/(client|platform)\//],
  ["Operations", /^provider\/engine\//],
  ["Values of a configuration", /^provider\/(core|definition)\//],
  ["Terraform and OpenTofu", /^provider\/terraform\//],
  ["Pulumi", /^provider\/(pulumi|dynamic)\//],
  ["Connection of an engine", /^provider\/grpc\//],
  ["Resources", /^resources\//],
  ["Lookups, actions and functions", /^functions\//],
] as const;

/** Returns the page of all messages. */
export function messagePage(): Page {
  const files = ["provider/**/*.ts", "resources/**/*.ts", "functions/**/*.ts"]
    .flatMap((pattern) => globSync(pattern, { cwd: root }))
    .map((file) => file.replaceAll("\\", "/"))
    .filter((file) => !silent.test(file))
    .toSorted();
  return {
    name: "messages.md",
    text: `${blocks(
      mark,
      "# Messages",
      "All texts of errors, warnings, plans and progress, from the sources. `…` stands for a value. If the text in Pulumi differs, it follows after **Pulumi:**. Descriptions are on the pages of the resources, complete errors in [Errors](guides/errors.md).",
      section(
        "## Remedies",
        "Remedies of errors, by code. One error can have several.",
        bullets(remedyItems),
      ),
      section(
        "## State of the object",
        "State of the object after an error.",
        bullets(existences.map((each) => item(existenceText(each)))),
      ),
      section("## Warnings", "Summary and text, by code.", bullets(warningItems)),
      ...groups.map(([title, pattern]) =>
        section(
          `## ${title}`,
          bullets([...new Set(files.filter((file) => pattern.test(file)).flatMap(sentencesOf))]),
        ),
      ),
    )}\n`,
  };
}
