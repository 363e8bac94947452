import { copyFile, mkdir, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, test } from "@jest/globals";
import { ensureEngine } from "../../tools/engines/engine.ts";
import { yamlAdapter } from "../support/engine/pulumi-yaml.ts";
import type { Adapter } from "./adapter.ts";
import { fixtures, place, stack, stateAdapters, withWorkspace } from "./stored-state.ts";

const versions = await readdir(fixtures);

test("the states of the first version are still readable", () => expect(versions).toContain("0.1.0"));

/** Returns the plan of the stack after the state of an earlier version. */
async function planned(version: string, name: string, adapter: Adapter) {
  const { files = [] } = stateAdapters.find((fixture) => fixture.name === name) ?? {};
  const copies = await mkdtemp(join(tmpdir(), "kcloud-cloud-"));
  const state = join(copies, "cloud.json");
  await copyFile(place(version, name, "cloud.json"), state);
  try {
    return await withWorkspace(adapter, state, async (workspace, folder) => {
      await workspace.write(stack);
      for (const file of files) {
        await mkdir(dirname(join(folder, file)), { recursive: true });
        await copyFile(place(version, name, file), join(folder, file));
      }
      return workspace.plan();
    });
  } finally {
    await rm(copies, { recursive: true });
  }
}

test.each(
  versions.flatMap((version) => stateAdapters.map(({ name, adapter }) => ({ version, name, adapter }))),
)(
  "a state that version $version wrote with $name is read, and the plan is empty",
  async ({ version, name, adapter }) => expect(await planned(version, name, await adapter())).toEqual({}),
);

test.each(versions)(
  "a Pulumi stack of version %s has an empty preview with a YAML program, whose types come from the schema",
  async (version) => {
    const adapter = yamlAdapter(await ensureEngine("pulumi-yaml"));
    expect(await planned(version, "pulumi", adapter)).toEqual({});
  },
);
