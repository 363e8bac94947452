import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import { CommandError } from "../../../command/run.ts";
import { textIn } from "../../../rehearse/command/text.ts";

test("a file that cannot be read is named in the error", async () => {
  const folder = await mkdtemp(join(tmpdir(), "kcloud-text-"));
  try {
    const file = join(folder, "plan.json");
    expect(() => textIn(file)).toThrow(CommandError);
    expect(() => textIn(file)).toThrow(`${file} cannot be read`);
    await writeFile(file, "{}");
    expect(textIn(file)).toBe("{}");
  } finally {
    await rm(folder, { recursive: true });
  }
});
