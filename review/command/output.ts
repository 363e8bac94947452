import { closeSync, mkdirSync, openSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import manifest from "../../package.json" with { type: "json" };
import { UnreadableError } from "../read/read.ts";
import { withApplyFindings } from "../render/applied.ts";
import { renderAnnotations, renderGitlab } from "../render/host.ts";
import { renderHtml } from "../render/html.ts";
import { renderJson } from "../render/json.ts";
import { renderJunit } from "../render/junit.ts";
import { budgets, renderMarkdown } from "../render/markdown.ts";
import { renderSarif } from "../render/sarif.ts";
import type { SymbolStyle } from "../render/symbol.ts";
import { renderText } from "../render/text.ts";
import type { Report } from "../report/report.ts";
import type { Format, Output, OutputOptions } from "./option.ts";

/** Outputs of the command. */

/**
 * Writes all outputs. Renames the files into place when all of them are complete, so that no truncated report appears. Throws
 * `UnreadableError` for a path that cannot be written; then no output is changed.
 */
export function writeOutputs(report: Report, options: OutputOptions, outputs: readonly Output[]): void {
  const temporary: string[] = [];
  const shown: string[] = [];
  try {
    const files = outputs.flatMap(({ format, path }) => {
      const parts = render(report, format, path, options);
      if (path !== undefined) return [stage(path, parts, temporary)];
      shown.push(...parts);
      return [];
    });
    for (const finish of files) finish();
  } finally {
    for (const path of temporary) rmSync(path, { force: true });
  }
  for (const part of shown) process.stdout.write(part);
  if (shown.length === 0 && report.verdict.code !== 0)
    process.stderr.write(
      `${[`kcloud review: ${report.verdict.line}`, ...report.verdict.reasons].join("\n  ")}\n`,
    );
}

/**
 * Writes the parts of a text to a temporary file next to `path` and adds its path to `temporary`. Returns a function that
 * renames the file to `path`; for a device or a pipe, that function writes the text directly.
 */
function stage(path: string, parts: Iterable<string>, temporary: string[]): () => void {
  const draft = `${path}.${process.pid}.tmp`;
  const attempt = <T>(step: () => T): T => {
    try {
      return step();
    } catch (error) {
      throw new UnreadableError(
        `${path} cannot be written: ${error instanceof Error ? error.message : String(error)}`,
      );
    }
  };
  const found = attempt(() => statSync(path, { throwIfNoEntry: false }));
  if (found?.isDirectory()) throw new UnreadableError(`${path} cannot be written: it is a directory`);
  if (found !== undefined && !found.isFile()) {
    const text = [...parts].join("");
    return () => attempt(() => writeFileSync(path, text));
  }
  attempt(() => mkdirSync(dirname(path), { recursive: true }));
  const file = attempt(() => openSync(draft, "wx"));
  temporary.push(draft);
  try {
    for (const part of parts) attempt(() => writeFileSync(file, part));
  } finally {
    closeSync(file);
  }
  return () => attempt(() => renameSync(draft, path));
}

/** Returns an output in parts. */
function render(
  report: Report,
  format: Format,
  path: string | undefined,
  options: OutputOptions,
): Iterable<string> {
  const words: SymbolStyle = options.screenReader ? "words" : options.emoji ? "emoji" : "letter";
  switch (format) {
    case "text": {
      const isTerminal = path === undefined && process.stdout.isTTY === true;
      return renderText(report, {
        colour: isTerminal && !process.env.NO_COLOR && !options.screenReader,
        symbols: words === "emoji" ? "letter" : words,
        width: isTerminal ? Math.max(40, process.stdout.columns) : 100,
      });
    }
    case "md":
      return [
        renderMarkdown(report, {
          budget: budgets[options.budget],
          reportUrl: options.reportUrl,
          symbols: words,
        }),
      ];
    case "html":
      return renderHtml(report);
    case "json":
      return renderJson(report);
    case "sarif":
      return [renderSarif(withApplyFindings(report), manifest.version)];
    case "junit":
      return [renderJunit(withApplyFindings(report))];
    case "annotations":
      return [renderAnnotations(withApplyFindings(report))];
    case "gitlab":
      return [renderGitlab(withApplyFindings(report))];
  }
}
