import { copyFile, mkdir, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, test } from "@jest/globals";
import { fixtures, kept, place, stack, withWorkspace } from "./stored-state.ts";

const versions = await readdir(fixtures);
const cases = versions.flatMap((version) => kept.map((fixture) => [version, fixture.name, fixture] as const));

test("the first version's states are kept", () => expect(versions).toContain("0.1.0"));

test.each(cases)(
  "a state that version %s left with %s is read, and nothing is to do",
  async (version, name, { files, adapter }) => {
    const copies = await mkdtemp(join(tmpdir(), "kcloud-cloud-"));
    const state = join(copies, "cloud.json");
    await copyFile(place(version, name, "cloud.json"), state);
    await withWorkspace(await adapter(), state, async (workspace, folder) => {
      await workspace.write(stack);
      for (const file of files) {
        await mkdir(dirname(join(folder, file)), { recursive: true });
        await copyFile(place(version, name, file), join(folder, file));
      }
      expect(await workspace.plan()).toEqual({});
    });
    await rm(copies, { recursive: true });
  },
);
