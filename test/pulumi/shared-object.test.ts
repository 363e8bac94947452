import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "@jest/globals";
import type { Item } from "../adapter/adapter.ts";
import type { Project } from "../support/engine/pulumi.ts";
import { destroy, network, refresh, testWithProject, up, volume } from "../support/engine/stack.ts";

/**
 * Objects that two entries of a state have, and states of a newer version, with the real engine. The dynamic provider gets no
 * URN: all resources of a program share its process.
 */

interface Entry {
  urn: string;
  delete?: boolean;
  outputs: Record<string, unknown>;
}

/** Changes the resources in the checkpoint, as `pulumi import` and an interrupted replacement do. */
async function edit({ path }: Project, change: (entries: Entry[]) => Entry[]): Promise<void> {
  const file = join(path, ".pulumi/stacks/proj/dev.json");
  const stack = JSON.parse(await readFile(file, "utf8"));
  const { latest } = stack.checkpoint;
  latest.resources = change(latest.resources);
  await writeFile(file, JSON.stringify(stack));
}

const isOf = (name: string) => (entry: Entry) => entry.urn.endsWith(`::${name}`);

/** Adds an entry of the same object under another name. */
const copied = (entries: Entry[], from: string, to: string): Entry[] => [
  ...entries,
  ...entries
    .filter(isOf(from))
    .map((entry) => ({ ...structuredClone(entry), urn: entry.urn.replace(/[^:]*$/, to) })),
];

/** Adds entries of the same object that the next run is to delete. */
const toDelete = (entries: Entry[], name: string): Entry[] => [
  ...entries,
  ...[1, 2].flatMap(() =>
    entries.filter(isOf(name)).map((entry) => ({ ...structuredClone(entry), delete: true })),
  ),
];

const named = (item: Item, name: string): Item => ({ ...item, name });

for (const kind of ["pulumi", "dynamic"] as const) {
  testWithProject(
    `a volume that is in the state under two names stays when the program drops one of them, and goes with the last one (${kind})`,
    async ({ emulator, project, stored }) => {
      await project.write(kind, [network(), volume()]);
      await project.done(...up);
      const { id = "" } = await stored("data");
      await edit(project, (entries) => copied(entries, "data", "copy"));
      await project.write(kind, [network(), named(volume({ sizeGb: 20 }), "copy")]);
      const { code, output } = await project.run([...up]);
      if (code !== 0) throw new Error(output);
      expect(output).toContain(
        `Another entry of the state has the volume "data" (${id}), so it was not deleted. Only this entry left the state.`,
      );
      expect(emulator.inventory.get(id)).toMatchObject({ name: "data" });
      expect((await project.state()).filter((one) => one.id === id)).toHaveLength(1);
      await project.done(...refresh);
      await project.write(kind, [network()]);
      await project.done("up", "--yes", "--skip-preview", "--refresh");
      expect(emulator.log.counts().delete_volume).toBe(1);
      await project.done(...destroy);
      expect(emulator.inventory.list()).toEqual([]);
    },
  );

  testWithProject(
    `a bucket whose object the program keeps is not emptied when the program drops it (${kind})`,
    async ({ emulator, project, stored }) => {
      const photo = (bucketId: Item["inputs"][string]): Item => ({
        ...{ name: "a", resource: "object", inputs: { bucketId, key: "a.txt", content: "a" } },
      });
      const bucket: Item = {
        name: "photos",
        resource: "bucket",
        inputs: { name: "photos", forceDestroy: true },
      };
      await project.write(kind, [bucket, photo({ ref: "photos", property: "id" })]);
      await project.done(...up);
      const { id = "" } = await stored("photos");
      await project.write(kind, [photo(id)]);
      const { code, output } = await project.run([...up]);
      if (code !== 0) throw new Error(output);
      expect(output).toContain(
        `Another entry of the state has an object that would be deleted with the bucket "photos" (${id})`,
      );
      expect(emulator.inventory.list().map(({ kind: each }) => each)).toEqual(["bucket", "object"]);
    },
    {},
    {
      SERVICE_ACCOUNT_ID: "000000000000",
      SERVICE_ACCESS_KEY: "emulator-access-key",
      SERVICE_SECRET_KEY: "emulator-secret-key",
    },
  );

  testWithProject(
    `entries that an interrupted replacement left do not delete the object that the program keeps (${kind})`,
    async ({ emulator, project, stored }) => {
      await project.write(kind, [network(), volume()]);
      await project.done(...up);
      const { id = "" } = await stored("data");
      await edit(project, (entries) => toDelete(entries, "data"));
      const { code, output } = await project.run(["up", "--yes", "--skip-preview", "--refresh"]);
      if (code !== 0) throw new Error(output);
      expect(output).toContain("3 unchanged");
      expect(output).toContain(`the volume "data" (${id}), so it was not deleted.`);
      expect(emulator.log.counts().delete_volume ?? 0).toBe(0);
      expect((await project.state()).filter((one) => one.id === id)).toHaveLength(1);
      await edit(project, (entries) => toDelete(entries, "data"));
      await project.done(...destroy);
      expect(emulator.inventory.list()).toEqual([]);
    },
  );

  testWithProject(
    `a state that a newer version wrote ends every command with the advice to update, and the object stays (${kind})`,
    async ({ emulator, project, stored }) => {
      await project.write(kind, [network(), volume()]);
      await project.done(...up);
      const { id = "" } = await stored("data");
      await edit(project, (entries) =>
        entries.map((entry) =>
          isOf("data")(entry) ? { ...entry, outputs: { ...entry.outputs, __version: 1 } } : entry,
        ),
      );
      for (const command of [up, refresh, destroy]) {
        const { code, output } = await project.run(command);
        expect(code).not.toBe(0);
        expect(output.replace(/\s+/g, " ")).toContain(
          `A newer version of the plugin wrote the state of the volume "data" (${id}), and this version cannot read it. Update the plugin, or the package @kcloud/iac, to that version or a newer one, then run again.`,
        );
      }
      expect(emulator.inventory.get(id)).toMatchObject({ name: "data" });
      expect((await stored("data")).id).toBe(id);
    },
  );
}

for (const kind of ["pulumi", "dynamic"] as const)
  testWithProject(
    `with adoptExisting, an interrupted replacement of a named object by --replace loses nothing in the next run (${kind})`,
    async ({ emulator, project, stored }) => {
      const stack = [network(), volume()];
      await project.write(kind, stack);
      await project.done(...up);
      const data = await stored("data");
      const adopting = { environment: { SERVICE_ADOPT_EXISTING: "true" } };
      await project.write(kind, [...stack, named(volume({ name: "other-fails" }), "other")]);
      expect((await project.run([...up, "--replace", data.urn], adopting)).code).not.toBe(0);
      await project.write(kind, stack);
      for (const _ of [1, 2]) {
        const { code, output } = await project.run(up, adopting);
        if (code !== 0) throw new Error(output);
        const { id = "" } = await stored("data");
        expect(emulator.inventory.get(id)).toMatchObject({ name: "data" });
      }
      expect((await project.state()).filter(({ type }) => /volume/i.test(type))).toHaveLength(1);
    },
  );
