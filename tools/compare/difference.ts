import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { runCommand } from "./command.ts";

const maxLines = 60;

/**
 * Writes both texts into `folder` and returns their unified diff, truncated to `maxLines` lines. Returns undefined if
 * the texts are equal. A text that is missing on one side counts as empty in the diff.
 */
export async function differenceOf(
  name: string,
  base: string | undefined,
  head: string | undefined,
  folder: string,
): Promise<string | undefined> {
  if (base === head) return undefined;
  const file = `${name.replaceAll(/[^\w.-]+/g, "-")}.txt`;
  for (const [side, text = ""] of [
    ["base", base],
    ["head", head],
  ] as const) {
    await mkdir(join(folder, side), { recursive: true });
    await writeFile(join(folder, side, file), text);
  }
  const args = ["diff", "--no-index", "--no-color", "--unified=2", `base/${file}`, `head/${file}`];
  const { code, stdout, stderr } = await runCommand("git", args, { cwd: folder, env: process.env });
  if (code !== 1) throw new Error(`git ${args.join(" ")} exited with ${code}: ${stderr}`);
  const lines = stdout.trimEnd().split("\n").slice(4);
  const rest = lines.length - maxLines;
  return [
    ...lines.slice(0, maxLines),
    ...(rest > 0 ? [`… ${rest} more lines; both texts are in ${folder}`] : []),
  ].join("\n");
}
