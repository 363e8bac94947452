import { test } from "@jest/globals";
import type { Emulator, EmulatorOptions } from "../../../emulator/emulator.ts";
import { ensureEngine } from "../../../tools/engines/engine.ts";
import type { Item } from "../../adapter/adapter.ts";
import { openProject, type Project, type StateResource } from "./pulumi.ts";
import { settingsOf, withSite } from "./site.ts";

/** Pulumi project and emulator of one test. */
export interface Setting {
  readonly emulator: Emulator;
  readonly url: string;
  readonly project: Project;
  /** Returns the resource with this name in the checkpoint; throws if there is none. */
  stored(name: string): Promise<StateResource>;
}

const pulumi = await ensureEngine("pulumi");

/** Opens an emulator and a project for the work, and removes both afterwards. */
const withProject = (
  work: (site: Setting) => Promise<void>,
  options: EmulatorOptions = {},
  settings: Readonly<Record<string, string>> = {},
): Promise<void> =>
  withSite({ taskMs: 100, ...options }, async ({ emulator, url, path }) => {
    const ofProject = { ...settingsOf(url), SERVICE_SETTLE_SECONDS: "1", ...settings };
    const project = await openProject(pulumi, path, ofProject);
    await work({
      emulator,
      url,
      project,
      async stored(name) {
        const found = (await project.state()).find(({ urn }) => urn.endsWith(`::${name}`));
        if (found === undefined) throw new Error(`the checkpoint has no resource ${name}`);
        return found;
      },
    });
  });

/** Defines a test with a separate project and emulator. */
export const testWithProject = (title: string, ...site: Parameters<typeof withProject>): void =>
  test(title, () => withProject(...site));

export const up = ["up", "--yes", "--skip-preview"] as const;
export const refresh = ["refresh", "--yes", "--skip-preview"] as const;
export const destroy = ["destroy", "--yes", "--skip-preview"] as const;

export const network = (inputs: Item["inputs"] = { name: "net" }): Item => ({
  name: "net",
  resource: "vpc",
  inputs,
});
export const volume = (more: Item["inputs"] = {}): Item => ({
  name: "data",
  resource: "volume",
  inputs: { vpcId: { ref: "net", property: "id" }, name: "data", sizeGb: 10, volumeType: "ssd", ...more },
});
