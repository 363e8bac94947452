import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import { dynamicProvider, dynamicType } from "../provider/names.ts";
import { destroy, network, onSite, refresh, up, volume } from "./engine/stack.ts";

/** The dynamic classes under the real engine and its host, and the way between them and the plugin. */

const limit = 240_000;
const empty = { SERVICE_BASE_URL: "", SERVICE_API_KEY: "", SERVICE_REGION: "" };

test(
  "a stack moves to the plugin and back, with and without names of its own, and nothing is replaced",
  () =>
    onSite(async ({ emulator, project, stored }) => {
      const stack = [network({}), volume(), { ...volume({ name: null }), name: "unnamed" }];
      await project.write("dynamic", stack);
      await project.done(...up);
      const made = emulator.inventory.list().map(({ krn }) => krn);
      const ids = async () => [(await stored("net")).id, (await stored("data")).id, (await stored("unnamed")).id];
      const before = await ids();

      await project.write("pulumi", stack);
      expect(await project.done(...up)).toMatch(/Resources:\n +4 unchanged/);
      expect((await stored("data")).type).toBe("kcloud:index:Volume");
      await project.done(...refresh);
      expect(await project.done("preview", "--expect-no-changes")).toContain("4 unchanged");

      await project.write("dynamic", stack);
      expect(await project.done(...up)).toMatch(/Resources:\n +~ 3 updated\n +1 unchanged/);
      expect((await stored("data")).outputs).toMatchObject({ __provider: dynamicProvider("volume") });
      await project.done(...refresh);
      expect(await project.done("preview", "--expect-no-changes")).toContain("4 unchanged");

      expect(await ids()).toEqual(before);
      expect(emulator.inventory.list().map(({ krn }) => krn)).toEqual(made);
      await project.done(...destroy);
      expect(emulator.inventory.list()).toEqual([]);
    }),
  limit,
);

test(
  "a stack made by the plugin keeps its made names under dynamic classes",
  () =>
    onSite(async ({ project, stored }) => {
      await project.write("pulumi", [network({})]);
      await project.done(...up);
      const { id, outputs } = await stored("net");
      expect(outputs?.name).toMatch(/^net-[0-9a-f]{7}$/);
      await project.write("dynamic", [network({})]);
      expect(await project.done(...up)).toMatch(/Resources:\n +~ 1 updated\n +1 unchanged/);
      const moved = await stored("net");
      expect([moved.id, moved.outputs?.name]).toEqual([id, outputs?.name]);
    }),
  limit,
);

test(
  "a volume takes at most 220 bytes more in the state than through the plugin",
  () =>
    onSite(async ({ emulator, project, stored }) => {
      await project.write("pulumi", [network()]);
      await project.done(...up);
      const vpcId = (await stored("net")).id ?? "";
      const bytes: number[] = [];
      for (const kind of ["pulumi", "dynamic"] as const) {
        await project.write(kind, [network(), volume({ vpcId, name: `data-${kind.length}` })]);
        await project.done(...up);
        const { sourcePosition: _, stackTrace: __, ...resource } = (await stored("data")) as unknown as Record<
          string,
          unknown
        >;
        bytes.push(JSON.stringify(resource).length);
      }
      expect(emulator.log.counts().create_volume).toBe(1);
      const [native = 0, dynamic = 0] = bytes;
      expect(dynamic - native).toBeLessThanOrEqual(220);
    }),
  limit,
);
