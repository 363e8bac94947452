import { expect } from "@jest/globals";
import type { Emulator } from "../../emulator/emulator.ts";
import type { Item } from "../adapter/adapter.ts";
import { destroy, network, testWithProject, up, volume } from "../support/engine/stack.ts";

/** An interrupt of the plugin's creates under the real engine. */

const names = ["a", "b", "c", "d", "e"];
const stack: readonly Item[] = [network(), ...names.map((name) => ({ ...volume({ name }), name }))];
const volumes = (emulator: Emulator) => emulator.inventory.list().filter(({ kind }) => kind === "volume");

/** Resolves when the emulator has executed every create. */
const executed = (emulator: Emulator): Promise<void> =>
  new Promise((resolve) => {
    const timer = setInterval(() => {
      if (volumes(emulator).length < names.length) return;
      clearInterval(timer);
      resolve();
    }, 20);
  });

for (const { delayMs, kept } of [
  { delayMs: 2_500, kept: true },
  { delayMs: 20_000, kept: false },
])
  testWithProject(
    kept
      ? "an interrupt while five creates are in flight stores the ids of responses that arrive within four seconds"
      : "an interrupt stores nothing if the responses arrive later, and each error names the import command",
    async ({ emulator, project }) => {
      await project.write("pulumi", [network()]);
      await project.done(...up);
      emulator.faults.add({ target: "create_volume", kind: "delay", when: "after", delayMs });
      await project.write("pulumi", stack);
      let interrupt: (() => void) | undefined;
      const running = project.run([...up, "--parallel", "10"], {
        watch: (_, signal) => {
          interrupt = () => signal("SIGINT");
        },
      });
      await executed(emulator);
      interrupt?.();
      const { code, output } = await running;
      expect(code).not.toBe(0);
      const stored = (await project.state()).filter(({ type }) => type === "kcloud:index:Volume");
      const made = volumes(emulator).map(({ krn }) => krn);
      expect(stored.map(({ id }) => id).toSorted()).toEqual(kept ? made.toSorted() : []);
      if (!kept) {
        for (const name of names) expect(output).toMatch(new RegExp(`volume "${name}"[^]*?may exist`));
        expect(output).toContain("pulumi import kcloud:index:Volume");
        return;
      }
      emulator.faults.clear();
      await project.done(...up);
      expect(volumes(emulator).map(({ krn }) => krn)).toEqual(made);
      expect(await project.done("preview", "--expect-no-changes")).toContain("7 unchanged");
      await project.done(...destroy);
      expect(emulator.inventory.list()).toEqual([]);
    },
  );
