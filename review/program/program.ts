import { readFileSync } from "node:fs";
import { stripTypeScriptTypes } from "node:module";
import { Script } from "node:vm";

/**
 * Programs as texts: those that run in another process or in a browser. Only the `constant.ts` of a folder imports this module, so
 * that the build contains the texts, and neither the sources nor a compiler.
 */

/** Removes the indentation of a program, in which no text may have several lines. */
export const withoutIndentation = (text: string): string => text.replaceAll(/^ +/gm, "");

/** Returns a TypeScript module as JavaScript without types and comments. */
export const programText = (module: URL): string =>
  stripTypeScriptTypes(readFileSync(module, "utf8"), { mode: "transform" });

const importLine = /^import \{[^}]*\} from "(\.[^"]+)";\n/gm;

/**
 * Returns a module and all modules that it imports as one script. The modules must import and export by name only, and their
 * top-level names must differ. Throws an error if they do not.
 */
export function joinedProgram(entry: URL): string {
  const texts = new Map<string, string>();
  const add = (module: URL): void => {
    if (texts.has(module.href)) return;
    const text = programText(module);
    // Sets the position first, so that an import cycle ends.
    texts.set(module.href, "");
    for (const [, path = ""] of text.matchAll(importLine)) add(new URL(path, module));
    texts.delete(module.href);
    texts.set(
      module.href,
      text.replaceAll(importLine, "").replaceAll(/^export (?=const|function|async)/gm, ""),
    );
  };
  add(entry);
  const script = withoutIndentation(`"use strict";{\n${[...texts.values()].join("")}}\n`);
  const rest = /^(?:import|export)\b.*/m.exec(script)?.[0];
  if (rest !== undefined) throw new Error(`${entry.href} cannot be joined to one script: ${rest}`);
  // Throws a SyntaxError if two modules declare the same name.
  new Script(script, { filename: entry.href });
  return script;
}
