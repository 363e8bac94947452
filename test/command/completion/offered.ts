import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect } from "@jest/globals";
import { kcloud } from "../kcloud.ts";

let folder: string;

let script: string;

beforeAll(() => {
  script = kcloud(["completion", "bash"]).stdout;
  folder = mkdtempSync(join(tmpdir(), "kcloud-completion-"));
  mkdirSync(join(folder, "plans"));
  writeFileSync(join(folder, "plan.json"), "{}");
});

afterAll(() => rmSync(folder, { recursive: true }));

/** Returns the completions of Bash for the last word of a command line. */
export function offered(...words: readonly string[]): string[] {
  const line = `eval "$SCRIPT"; COMP_WORDS=(kcloud "$@"); COMP_CWORD=$#
    complete -p kcloud >/dev/null || exit 9
    _kcloud; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const { status, stdout, stderr } = spawnSync("bash", ["--norc", "-uc", line, "bash", ...words], {
    encoding: "utf8",
    cwd: folder,
    env: { PATH: process.env.PATH, SCRIPT: script },
  });
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  return stdout.split("\n").filter((line) => line !== "");
}
