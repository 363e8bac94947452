import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { createEmulator, type Emulator } from "../emulator/emulator.ts";
import type { Face, Item, Planned, Stack, Workspace, Written } from "./face.ts";

/**
 * The lives of all resources, one table for every face. All of them are led at once, in one stack, so that a
 * stage costs an engine one command and not one for each resource.
 */
interface Life {
  readonly resource: string;
  readonly inputs: Written;
  /** Inputs that change in place; null where the cloud has no route for that. */
  readonly update: Written | null;
  /** Inputs that make another object, under another name. */
  readonly replace: Written;
  /** Inputs that make another object under the same name. */
  readonly replaceSameName: Written;
  /** What somebody changes in the console, in the emulator's words, and what a plan then says. */
  readonly drift: {
    readonly change: Readonly<Record<string, unknown>>;
    readonly planned: "update" | "replace";
  };
  /** The import id, from the ids by logical name. */
  readonly importId: (id: string, vpc: string) => string;
}

const inNetwork = { ref: "network", property: "id" };

export const lives: readonly Life[] = [
  {
    resource: "vpc",
    inputs: { name: "life", primarySubnet: { name: "first", cidr: "10.1.0.0/24" } },
    update: null,
    replace: { name: "life-2", primarySubnet: { name: "first", cidr: "10.1.0.0/24" } },
    replaceSameName: { name: "life-2", primarySubnet: { name: "first", cidr: "10.1.1.0/24" } },
    drift: { change: { name: "other" }, planned: "replace" },
    importId: (id) => id,
  },
  {
    resource: "subnet",
    inputs: { vpcId: inNetwork, name: "life", cidr: "10.0.1.0/24" },
    update: null,
    replace: { vpcId: inNetwork, name: "life-2", cidr: "10.0.1.0/24" },
    replaceSameName: { vpcId: inNetwork, name: "life-2", cidr: "10.0.2.0/24" },
    drift: { change: { name: "other" }, planned: "replace" },
    importId: (id, vpc) => `${vpc},${id}`,
  },
  {
    resource: "volume",
    inputs: { vpcId: inNetwork, name: "life", sizeGb: 20, volumeType: "ssd" },
    update: { vpcId: inNetwork, name: "life", sizeGb: 30, volumeType: "ssd", metadata: { tier: "gold" } },
    replace: { vpcId: inNetwork, name: "life-2", sizeGb: 30, volumeType: "ssd", availabilityZone: "nova-2" },
    replaceSameName: { vpcId: inNetwork, name: "life-2", sizeGb: 30, volumeType: "ssd", multiattach: true },
    drift: { change: { description: "changed by hand" }, planned: "update" },
    importId: (id, vpc) => `${vpc},${id}`,
  },
];

const network: Item = { name: "network", resource: "vpc", inputs: { name: "around" } };

type Stage = "inputs" | "update" | "replace" | "replaceSameName";

/** The stack at a stage; a life that has no such stage stays where it was. */
const stackAt = (stage: Stage): Stack => [
  network,
  ...lives.map(({ resource, ...life }) => ({ name: resource, resource, inputs: life[stage] ?? life.inputs })),
];

const everyone = (kind: Planned[string]): Planned =>
  Object.fromEntries(lives.map(({ resource }) => [resource, kind]));

export const cells = [
  "create",
  "no change",
  "update in place",
  "replace",
  "replace under the same name",
  "changed behind one's back",
  "deleted behind one's back",
  "failure in the middle and the next apply",
  "destroy",
  "import",
] as const;

/** Leads every life through one face, with the real engine. */
export function leadLives(face: Face) {
  describe(`lives through ${face.name}`, () => {
    let emulator: Emulator;
    let server: Awaited<ReturnType<Emulator["listen"]>>;
    let folder: string;
    let workspace: Workspace;

    const cell = (name: (typeof cells)[number], run: () => Promise<void>) => {
      const reason = face.impossible[name];
      if (reason === undefined) test(name, run, 180_000);
      else test(`${name}: ${reason}`, () => expect(reason).toMatch(/\w{10}|\w+ \w+/));
    };
    const objects = (kind: string) => emulator.inventory.list().filter((item) => item.kind === kind);
    /** The live objects of a kind, without those that came into being with something else. */
    const own = (resource: string) =>
      objects(resource).filter((item) => item.krn !== ids.network && item.owned !== true);
    let ids: Readonly<Record<string, string>> = {};

    async function applied(stack: Stack, planned: Planned) {
      await workspace.write(stack);
      expect(await workspace.plan()).toEqual(planned);
      const { ok, output } = await workspace.apply();
      if (!ok) throw new Error(output);
      ids = await workspace.ids();
      for (const { resource } of lives) expect(own(resource).map(({ krn }) => krn)).toEqual([ids[resource]]);
      expect(await workspace.plan()).toEqual({});
    }

    beforeAll(async () => {
      emulator = createEmulator({ taskMs: 200 });
      server = await emulator.listen();
      folder = await mkdtemp(join(tmpdir(), "kcloud-lives-"));
      workspace = await face.open(folder, environment(server.url));
    }, 180_000);

    afterAll(async () => {
      await server.close();
      await rm(folder, { recursive: true, force: true });
    });

    cell("create", () => applied(stackAt("inputs"), { network: "create", ...everyone("create") }));

    cell("no change", async () => {
      const before = emulator.log.counts();
      expect(await workspace.plan()).toEqual({});
      expect(emulator.log.counts().create_volume).toBe(before.create_volume);
    });

    cell("update in place", async () => {
      const before = ids;
      await applied(stackAt("update"), { volume: "update" });
      expect(ids).toEqual(before);
    });

    cell("replace", async () => {
      const before = ids;
      await applied(stackAt("replace"), everyone("replace"));
      for (const { resource } of lives) expect(ids[resource]).not.toBe(before[resource]);
    });

    cell("replace under the same name", async () => {
      const before = ids;
      await applied(stackAt("replaceSameName"), everyone("replace"));
      for (const { resource } of lives) expect(ids[resource]).not.toBe(before[resource]);
    });

    cell("changed behind one's back", async () => {
      for (const { resource, drift } of lives) emulator.inventory.change(ids[resource] ?? "", drift.change);
      const planned = Object.fromEntries(lives.map(({ resource, drift }) => [resource, drift.planned]));
      await applied(stackAt("replaceSameName"), planned);
    });

    cell("deleted behind one's back", async () => {
      for (const { resource } of lives) emulator.inventory.remove(ids[resource] ?? "");
      await applied(stackAt("replaceSameName"), everyone("create"));
    });

    cell("failure in the middle and the next apply", async () => {
      emulator.faults.add({ target: "create_volume", kind: "503", from: 1, times: 1 });
      await workspace.write(stackAt("replace"));
      const failed = await workspace.apply();
      expect(failed.ok).toBe(false);
      expect(failed.output).toContain("may exist");
      emulator.faults.clear();
      const { ok, output } = await workspace.apply();
      if (!ok) throw new Error(output);
      ids = await workspace.ids();
      for (const { resource } of lives) expect(own(resource).map(({ krn }) => krn)).toEqual([ids[resource]]);
      expect(await workspace.plan()).toEqual({});
    });

    cell("import", async () => {
      const again = await face.open(await mkdtemp(join(folder, "import-")), environment(server.url));
      await again.write(stackAt("replace"));
      const named = [network, ...lives.map(({ resource }) => ({ name: resource, resource }))];
      const imports = named.map(({ name, resource }) => {
        const life = lives.find((candidate) => candidate.resource === name);
        const id = ids[name] ?? "";
        return { name, resource, id: life?.importId(id, ids.network ?? "") ?? id };
      });
      const { ok, output } = await again.import(imports);
      if (!ok) throw new Error(output);
      expect(await again.ids()).toEqual(ids);
      // The first subnet of a VPC cannot be told apart by the cloud: it is written down once, and nothing is sent.
      expect(await again.plan()).toEqual({ vpc: "update" });
      expect((await again.apply()).ok).toBe(true);
      expect(await again.plan()).toEqual({});
    });

    cell("destroy", async () => {
      const { ok, output } = await workspace.destroy();
      if (!ok) throw new Error(output);
      expect(emulator.inventory.list()).toEqual([]);
    });
  });
}

const environment = (url: string) => ({
  SERVICE_BASE_URL: url,
  SERVICE_API_KEY: "emulator-key",
  SERVICE_REGION: "In-Bangalore-1",
  SERVICE_MAX_REQUESTS_PER_SECOND: "0",
  SERVICE_SETTLE_SECONDS: "1",
});
