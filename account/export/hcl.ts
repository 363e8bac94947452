import {
  provider,
  snakeCase,
  terraformSource,
  terraformType,
  underscored,
} from "../../provider/core/name.ts";
import { commented, commentReason, ignoredReason } from "./comment.ts";
import { hclBlock, hclKey, hclList, hclObject, hclString, hclText, type Part } from "./hcl-syntax.ts";
import type { Address, Block, Entry, Expression, Project } from "./project.ts";

/** Project as a configuration of Terraform and OpenTofu. */

/** Distribution of the resources over files. */
export type FileBy = "kind" | "vpc";

/** Returns the content of each file by its name. The same project gives the same files. */
export function hclFiles(project: Project, by: FileBy): Map<string, string> {
  const files = new Map([["main.tf", mainOf(project)]]);
  for (const [name, blocks] of Map.groupBy(project.blocks, (block) => fileOf(block, by)))
    files.set(name, textOf(blocks.flatMap((block) => ["", ...linesOf(block)]).slice(1)));
  return files;
}

const textOf = (lines: readonly string[]): string => `${lines.join("\n")}\n`;

const fileOf = ({ kind, vpc }: Block, by: FileBy): string =>
  by === "vpc" && vpc !== undefined ? `vpc_${vpc.name}.tf` : `${underscored(kind)}.tf`;

/** Returns the file with the requirements and the settings of the provider, which contain no credentials. */
function mainOf({ region }: Project): string {
  const source = {
    name: provider,
    value: hclObject([{ name: "source", value: [hclString(terraformSource)] }]),
  };
  const requirement = { lines: hclBlock("required_providers", [source]) };
  const settings: Part[] = region === undefined ? [] : [{ name: "region", value: [hclString(region)] }];
  return textOf([
    ...hclBlock("terraform", [requirement]),
    "",
    "# Credentials are set in the environment or in a profile.",
    ...hclBlock(`provider "${provider}"`, settings),
  ]);
}

const addressOf = ({ kind, name }: Address): string => `${terraformType(kind)}.${name}`;

/** Returns the lines of an import and its resource; as a comment, with the reason, if the resource cannot be written. */
function linesOf(block: Block): string[] {
  const { kind, name, importId, inputs, ignored, problems } = block;
  const target = [
    { name: "to", value: [addressOf(block)] },
    { name: "id", value: [hclString(importId)] },
  ];
  const lines = [
    ...hclBlock("import", target),
    "",
    ...hclBlock(`resource "${terraformType(kind)}" "${name}"`, [
      ...attributesOf(inputs),
      ...(ignored.length === 0 ? [] : [{ lines: lifecycleOf(ignored) }]),
    ]),
  ];
  if (problems.length === 0) return lines;
  const head = [
    commentReason(block, "terraform"),
    "To manage it, fill in the values and remove the comment signs.",
  ];
  return commented([...head, "", ...lines], "#");
}

function lifecycleOf(ignored: readonly string[]): string[] {
  const names = hclList(ignored.map((name) => [snakeCase(name)]));
  return [`# ${ignoredReason}`, ...hclBlock("lifecycle", [{ name: "ignore_changes", value: names }])];
}

/** Returns entries as attributes; values of several lines come last. */
function attributesOf(entries: readonly Entry[]): { name: string; value: string[] }[] {
  const all = entries.map(([name, value]) => ({
    name: snakeCase(name),
    value: expressionLines(value, true),
  }));
  return [...all.filter(({ value }) => value.length === 1), ...all.filter(({ value }) => value.length > 1)];
}

function expressionLines(expression: Expression, isAttribute = false): string[] {
  switch (expression.kind) {
    case "literal": {
      const { value } = expression;
      if (typeof value !== "string") return [String(value)];
      return isAttribute ? hclText(value) : [hclString(value)];
    }
    case "reference":
      return [[addressOf(expression.to), ...expression.path.map(snakeCase)].join(".")];
    case "list":
      return hclList(expression.items.map((item) => expressionLines(item)));
    case "group":
      return hclObject(attributesOf(expression.entries));
    case "map":
      return hclObject(
        expression.entries.map(([key, value]) => ({ name: hclKey(key), value: expressionLines(value) })),
      );
  }
}
