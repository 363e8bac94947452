import { copyFile } from "node:fs/promises";
import { join } from "node:path";
import { openCloud } from "../cloud.ts";
import { engines } from "../engine.ts";
import { inFolder } from "../folder.ts";
import { inSeconds, type Measure } from "../measure.ts";
import { root } from "../plugin.ts";
import { kcloud, openWorkspace } from "../workspace.ts";

/** Apply and destroy of the demo stack, with tasks of one second and the default request rate. */
export const demo: Measure = {
  name: "demo",
  about: "the demo stack applied and destroyed, tasks of 1 s",
  run: (bench) =>
    inFolder(async (folder) => {
      const cloud = await openCloud({ taskMs: 1_000 });
      const { SERVICE_MAX_REQUESTS_PER_SECOND: _, ...settings } = cloud.settings;
      try {
        for (const [name, engine] of await engines()) {
          const workspace = await openWorkspace(engine, join(folder, name), kcloud(), settings);
          await copyFile(join(root, "examples/stack/terraform/main.tf"), join(folder, name, "main.tf"));
          await workspace.time("init");
          const [apply, destroy]: [number[], number[]] = [[], []];
          for (let round = bench.rounds(5); round > 0; round--) {
            bench.step(`${name}: apply and destroy`);
            cloud.forget();
            apply.push(await workspace.time("apply", "-auto-approve"));
            destroy.push(await workspace.time("destroy", "-auto-approve"));
          }
          bench.report(
            { what: `demo: ${name}, apply`, unit: "s", samples: inSeconds(apply), goal: 5 },
            { what: `demo: ${name}, destroy`, unit: "s", samples: inSeconds(destroy), goal: 6 },
          );
        }
      } finally {
        await cloud.close();
      }
    }),
};
