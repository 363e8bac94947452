import { readFileSync } from "node:fs";
import { joinedProgram, withoutIndentation } from "../../program/program.ts";

/**
 * Returns the script and the style of the HTML report. The bundler runs this function and replaces it with its result
 * (tools/bundle.ts).
 */
export const constants = (): Readonly<Record<"script" | "style", string>> => ({
  script: joinedProgram(new URL("./main.ts", import.meta.url)),
  style: withoutIndentation(
    readFileSync(new URL("./style.css", import.meta.url), "utf8").replaceAll(/\/\*.*?\*\/\n/gs, ""),
  ),
});
