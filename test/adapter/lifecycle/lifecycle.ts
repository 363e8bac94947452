import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import type { InventoryItem as Kept } from "../../../emulator/admin/inventory.ts";
import { createEmulator, type Emulator } from "../../../emulator/emulator.ts";
import { leftover } from "../../support/leftover.ts";
import { storageSettings } from "../../support/storage-setting.ts";
import {
  type Adapter,
  type Item,
  isRef,
  type Planned,
  type Stack,
  type Workspace,
  type Written,
} from "../adapter.ts";
import type { LifecycleCase } from "./case.ts";

const table = join(import.meta.dirname, "../../kind");

type NamedCase = LifecycleCase & { readonly resource: string };

/** Lifecycle cases of all resources; each is a file with the name of the resource. */
const allCases: readonly NamedCase[] = await Promise.all(
  (await readdir(table)).toSorted().map(async (file) => {
    const { lifecycleCase } = (await import(join(table, file))) as { readonly lifecycleCase: LifecycleCase };
    return { resource: basename(file, ".ts"), ...lifecycleCase };
  }),
);
const caseOf = (kind: string) => allCases.find(({ resource }) => resource === kind);

/**
 * Returns the cases to test: those of the resources in `KCLOUD_LIFECYCLE`, separated by commas, and the two that the stages
 * need; all of them if the variable is not set. Throws for a name without a case.
 */
function casesToRun(): readonly NamedCase[] {
  const chosen = process.env.KCLOUD_LIFECYCLE?.split(",");
  if (chosen === undefined) return allCases;
  const unknown = chosen.filter((name) => caseOf(name) === undefined);
  if (unknown.length > 0) throw new Error(`KCLOUD_LIFECYCLE: no lifecycle case of ${unknown.join(", ")}`);
  return allCases.filter(({ resource }) => ["volume", "inference-task", ...chosen].includes(resource));
}

/**
 * Lifecycle cases of the tested resources, shared by every adapter. One stack contains all of them, so that a stage needs one
 * command of the engine instead of one per resource.
 */
export const lifecycleCases: readonly NamedCase[] = casesToRun();

const network: Item = { name: "network", resource: "vpc", inputs: { name: "around" } };

/**
 * Attributes that change with another object, by the name of the object: the address of a port with its floating IP, its
 * groups with the resource that sets them. Only the refresh after that apply shows the new value.
 */
export const changedThroughOthers: Readonly<Record<string, string>> = {
  pole: "floatingIpAddress",
  "berth-one": "securityGroups",
};

/** Objects that the lifecycle cases need. */
const around: Stack = [
  network,
  ...lifecycleCases.flatMap((lifecycleCase) => lifecycleCase.dependencies ?? []),
];

export type Stage = "inputs" | "update" | "replace" | "replaceSameName" | "last";

/** Returns the stack at a stage; a case without inputs for the stage keeps the first ones. */
export const stackAt = (stage: Stage): Stack => [
  ...around,
  ...lifecycleCases.map(({ resource, last, ...lifecycleCase }) => {
    const inputs = { ...lifecycleCase, last: last ?? lifecycleCase.replace }[stage] ?? lifecycleCase.inputs;
    return { name: resource, resource, inputs };
  }),
];

const everyResource = (kind: Planned[string]): Planned =>
  Object.fromEntries(lifecycleCases.map(({ resource }) => [resource, kind]));

/** Returns the objects of a stack that can be imported. */
export const importable = (stack: Stack): Stack =>
  stack.filter(({ resource }) => caseOf(resource)?.importId !== null);

/** Returns the import id of each object of a stack from the ids of all objects; `vpc` is the id of their VPC. */
export const importsOf = (stack: Stack, ids: Readonly<Record<string, string>>, vpc: string) =>
  stack.map(({ name, resource, inputs }) => {
    const id = ids[name] ?? "";
    const resolved = Object.entries(inputs).map(([name, value]): [string, Written[string]] => [
      name,
      isRef(value) ? (ids[value.ref] ?? "") : value,
    ]);
    return { name, resource, id: caseOf(resource)?.importId?.(id, vpc, Object.fromEntries(resolved)) ?? id };
  });

export const cells = [
  "create",
  "no change",
  "update in place",
  "replace",
  "replace under the same name",
  "changed outside the engine",
  "deleted outside the engine",
  "failure in the middle and the next apply",
  "destroy",
  "import",
] as const;

/** Runs every lifecycle through one adapter with the real engine. */
export function testLifecycles(adapter: Adapter) {
  describe(`lifecycles through ${adapter.name}`, () => {
    let emulator: Emulator;
    let server: Awaited<ReturnType<Emulator["listen"]>>;
    let folder: string;
    let workspace: Workspace;

    const cell = (name: (typeof cells)[number], run: () => Promise<void>) => {
      const reason = adapter.impossible[name];
      if (reason === undefined) test(name, run);
      else test(`${name}: ${reason}`, () => expect(reason).toMatch(/\w{10}|\w+ \w+/));
    };
    /** Returns the existing objects of a case, with their ids in the engine. Omits dependencies and first subnets of VPCs. */
    const own = ({ resource, kind = resource.replaceAll("-", "_"), idOf = ({ krn }) => krn }: NamedCase) => {
      const others = around.map(({ name }) => ids[name]);
      const first = (item: Kept & { owned?: boolean }) => item.kind === "subnet" && item.owned === true;
      return emulator.inventory
        .list()
        .filter((item) => item.kind === kind && !others.includes(item.krn) && !first(item))
        .flatMap((item) => {
          const id = idOf(item);
          return id === null ? [] : [{ id, item }];
        });
    };
    const isKnown = (id: string, resource: string) => new RegExp(`(^|:)${ids[resource]}$`).test(id);
    /** Expects each case to have exactly the object in the state of the engine, by its KRN or the end of the KRN. */
    const expectOne = () => {
      for (const lifecycleCase of lifecycleCases) {
        if (lifecycleCase.stateOnly) {
          expect(ids[lifecycleCase.resource]).toMatch(/^[\da-f-]{36}$/);
          continue;
        }
        // An object that cannot be deleted may be of another kind, or be a dependency of a case.
        const found = lifecycleCase.undeletable
          ? emulator.inventory.list().map(({ krn }) => krn)
          : own(lifecycleCase).map(({ id }) => id);
        const known = new Set(found.map((id) => isKnown(id, lifecycleCase.resource)));
        if (lifecycleCase.undeletable) expect(known).toContain(true);
        else expect([lifecycleCase.resource, ...known]).toEqual([lifecycleCase.resource, true]);
      }
    };
    let ids: Readonly<Record<string, string>> = {};
    /** Number of inference tasks that were cancelled outside the engine. */
    let lostTasks = 0;

    async function applied(stack: Stack, planned: Planned) {
      await workspace.write(stack);
      expect(await workspace.plan()).toEqual(planned);
      const { ok, output } = await workspace.apply();
      if (!ok) throw new Error(output);
      ids = await workspace.ids();
      expectOne();
      expect(await workspace.plan()).toEqual({});
    }

    beforeAll(async () => {
      // Pods are readable here; otherwise only their create and destroy could be tested. The API does not show cancelled tasks,
      // so they count as deleted.
      emulator = createEmulator({
        taskMs: 200,
        assume: { podRead: "pod", sessionAttempts: 10_000, cancelledTaskShown: false },
      });
      server = await emulator.listen();
      folder = await mkdtemp(join(tmpdir(), "kcloud-lifecycle-"));
      workspace = await adapter.open(folder, environment(server.url));
    });

    afterAll(async () => {
      await server.close();
      await rm(folder, { recursive: true, force: true });
    });

    cell("create", () =>
      applied(stackAt("inputs"), Object.fromEntries(stackAt("inputs").map(({ name }) => [name, "create"]))),
    );

    cell("no change", async () => {
      const before = emulator.log.counts();
      expect(await workspace.plan()).toEqual({});
      expect(emulator.log.counts().create_volume).toBe(before.create_volume);
    });

    cell("update in place", async () => {
      const before = ids;
      const planned = lifecycleCases
        .filter(({ update }) => update !== null)
        .map(({ resource }) => [resource, "update"]);
      await applied(stackAt("update"), Object.fromEntries(planned));
      expect(ids).toEqual(before);
      // No other attribute differs at a refresh, so all known values of the plan were right.
      const refreshed = (await workspace.refreshed?.()) ?? [];
      expect(refreshed.filter((name) => !(name in changedThroughOthers))).toEqual([]);
    });

    cell("replace", async () => {
      const before = ids;
      await applied(stackAt("replace"), everyResource("replace"));
      for (const { resource } of lifecycleCases) expect(ids[resource]).not.toBe(before[resource]);
    });

    cell("replace under the same name", async () => {
      const before = ids;
      await applied(stackAt("replaceSameName"), everyResource("replace"));
      for (const { resource } of lifecycleCases) expect(ids[resource]).not.toBe(before[resource]);
    });

    cell("changed outside the engine", async () => {
      const drifts = lifecycleCases.flatMap(({ resource, drift }) =>
        drift === null ? [] : [{ resource, ...drift }],
      );
      for (const { resource, change } of drifts) emulator.inventory.change(ids[resource] ?? "", change);
      const planned = Object.fromEntries(drifts.map(({ resource, planned }) => [resource, planned]));
      await applied(stackAt("replaceSameName"), planned);
    });

    cell("deleted outside the engine", async () => {
      const deletable = lifecycleCases.filter(({ deleted }) => deleted !== "never");
      for (const { removedWith = ({ krn }: Kept) => [krn], ...lifecycleCase } of deletable)
        for (const { id, item } of own(lifecycleCase))
          if (isKnown(id, lifecycleCase.resource))
            for (const krn of removedWith(item)) emulator.inventory.remove(krn);
      lostTasks += 1;
      const planned = deletable.map(({ resource, deleted = "create" }) => [resource, deleted]);
      await applied(stackAt("replaceSameName"), Object.fromEntries(planned));
    });

    cell("failure in the middle and the next apply", async () => {
      emulator.faults.add({ target: "create_volume", kind: "503", from: 1, times: 1 });
      await workspace.write(stackAt("last"));
      const failed = await workspace.apply();
      expect(failed.ok).toBe(false);
      expect(failed.output).toContain("may exist");
      emulator.faults.clear();
      const { ok, output } = await workspace.apply();
      if (!ok) throw new Error(output);
      ids = await workspace.ids();
      expectOne();
      expect(await workspace.plan()).toEqual({});
    });

    cell("import", async () => {
      const again = await adapter.open(await mkdtemp(join(folder, "import-")), environment(server.url));
      const stack = importable(stackAt("last"));
      await again.write(stack);
      const { ok, output } = await again.import(importsOf(stack, ids, ids.network ?? ""));
      if (!ok) throw new Error(output);
      expect(await again.ids()).toEqual(Object.fromEntries(stack.map(({ name }) => [name, ids[name]])));
      const { recordsByUpdate = () => true } = adapter;
      const written = lifecycleCases
        .flatMap(({ resource, recordedByApply, recordedAround = [] }) =>
          recordedByApply ? [resource, ...recordedAround] : recordedAround,
        )
        .filter((name) => recordsByUpdate(stack.find((item) => item.name === name)?.resource ?? name));
      if (!adapter.importsByApply) {
        expect(await again.plan()).toEqual(Object.fromEntries(written.map((name) => [name, "update"])));
        expect((await again.apply()).ok).toBe(true);
      }
      expect(await again.plan()).toEqual({});
    });

    cell("destroy", async () => {
      const { ok, output } = await workspace.destroy();
      if (!ok) throw new Error(output);
      expect(leftover(emulator)).toEqual([]);
      // Only the destroy of a task sends a GET that changes something, and only once.
      const counts = emulator.log.counts();
      expect(counts.delete_checkpoint).toBeUndefined();
      expect(counts.cancel_inference_task).toBe(Number(counts.create_inference_task) - lostTasks);
    });
  });
}

/** Provider settings that point at the emulator, by their environment variables. */
export const environment = (url: string) => ({
  SERVICE_BASE_URL: url,
  SERVICE_API_KEY: "emulator-key",
  SERVICE_REGION: "In-Bangalore-1",
  SERVICE_MAX_REQUESTS_PER_SECOND: "0",
  SERVICE_SETTLE_SECONDS: "1",
  ...storageSettings(url),
});
