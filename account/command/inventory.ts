import { randomUUID } from "node:crypto";
import { renameSync, rmSync, writeFileSync } from "node:fs";
import { checkPositionals, parseArguments, UsageError } from "../../command/argument.ts";
import { CommandError, runCommand } from "../../command/run.ts";
import { cleaned } from "../../provider/client/client.ts";
import { gatherSettings } from "../../provider/config/config.ts";
import { realPorts } from "../../provider/platform/real-ports.ts";
import { resources } from "../../resources/index.ts";
import { everything } from "../filter.ts";
import { readInventory } from "../inventory.ts";
import { listedEntry } from "../seed/entry.ts";
import { seedOf } from "../seed/seed.ts";
import { inReadSession } from "../session.ts";
import { reportingErrors } from "./export.ts";
import { codeOf } from "./folder.ts";
import { inventoryCommand } from "./option.ts";
import { countsText, interruptible } from "./progress.ts";
import { gapLine } from "./summary.ts";

/** Exit code if a part of the account could not be read. */
const incomplete = 4;

/** Maximum length of a reason, in characters. */
const longest = 300;

/** Runs `kcloud inventory`. Returns the exit code. */
export const inventoryMain = (args: readonly string[]): Promise<number> =>
  runCommand("inventory", async () => {
    const { values, positionals } = parseArguments(inventoryCommand.options, args);
    checkPositionals(positionals, 0);
    const { out, objects = false } = values;
    if (out === undefined)
      throw new UsageError("--out is missing, as in kcloud inventory --out inventory.json");
    return interruptible(
      () => "kcloud inventory: interrupted: nothing was written",
      async ({ stop, show }) => {
        const given = gatherSettings({}, process.env);
        const options = { resources, filter: everything, contents: objects ? ["object"] : [], stop };
        const { found, redact } = await reportingErrors(() =>
          inReadSession({ given, ports: realPorts, command: "inventory" }, async (session) => ({
            found: await readInventory(session, {
              ...options,
              report: (progress) => show(countsText(progress)),
            }),
            redact: session.redact,
          })),
        );
        show(undefined);
        const seed = seedOf(found.objects.map(listedEntry));
        const lines = found.gaps.map((gap) => cleaned(gapLine(gap, "terraform"), redact, longest));
        const { inventory } = seed;
        const assumed = [...lines.map((line) => `that there is no other object: ${line}`), ...seed.assumed];
        writePrivate(out, `${JSON.stringify({ ...inventory, assumed }, undefined, 1)}\n`);
        process.stdout.write(`${inventory.objects.length} objects in ${out}${assumedText(assumed)}\n`);
        for (const line of lines) process.stderr.write(`not read: ${line}\n`);
        return found.gaps.some(({ isIncomplete }) => isIncomplete) ? incomplete : 0;
      },
    );
  });

const assumedText = ({ length }: readonly string[]): string =>
  length === 0 ? "" : `; ${length} facts that the API does not show are assumed, and listed there`;

/** Replaces a file that only its owner can read. Throws `CommandError`. */
function writePrivate(path: string, text: string): void {
  const draft = `${path}.${randomUUID()}.tmp`;
  try {
    writeFileSync(draft, text, { mode: 0o600, flag: "wx" });
    renameSync(draft, path);
  } catch (error) {
    rmSync(draft, { force: true });
    throw new CommandError(`${path} cannot be written (${codeOf(error) ?? String(error)})`);
  }
}
