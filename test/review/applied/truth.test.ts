import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import { decideApplied } from "../../../review/gate/applied.ts";
import { applyLogIn, logLines } from "../../../review/read/apply-log.ts";
import { readApplyState } from "../../../review/read/apply-state.ts";
import { appliedOf } from "../../../review/report/applied.ts";
import type { Report } from "../../../review/report/report.ts";
import type { Engine } from "../../../tools/engines/engine.ts";
import type { Stack } from "../../adapter/adapter.ts";
import { drawEdit, drawnSeeds, enginesInTurn } from "../../rehearse/truth.ts";
import { createDraw, type Draw } from "../../simulation/draw.ts";
import { openProject } from "../../support/engine/pulumi.ts";
import { type Site, settingsOf, withSite } from "../../support/engine/site.ts";
import { configuration, openFolder, succeed } from "../../support/engine/terraform.ts";
import { storageSettings } from "../../support/storage-setting.ts";
import { outcomesIn, reportOf } from "./fixture.ts";

/**
 * Compares the report after an apply with the cloud: drawn edits are applied by real engines, most of them with a fault in the middle.
 * `KCLOUD_TRUTH=60` draws that many edits instead of a few, from `KCLOUD_TRUTH_SEED` on.
 */

const { seeds } = drawnSeeds();
const engines = await enginesInTurn();

/** Output of an engine. */
interface Applied {
  readonly plan: string;
  readonly log: string;
  readonly state: string;
  readonly code: number | null;
}

/** Stack in an engine. */
interface Workspace {
  write(stack: Stack): Promise<void>;
  /** Applies the first stack. Returns false if the cloud refuses it. */
  begin(): Promise<boolean>;
  plan(): Promise<string>;
  apply(): Promise<Omit<Applied, "plan">>;
}

const environmentOf = ({ url }: Site) => ({
  ...settingsOf(url),
  ...storageSettings(url),
  SERVICE_SETTLE_SECONDS: "1",
});

async function terraform(site: Site, engine: Engine): Promise<Workspace> {
  const folder = await openFolder(engine, await site.folder(), environmentOf(site));
  return {
    async write(stack) {
      const { resource, ...rest } = configuration(stack) as {
        resource: Record<string, Record<string, object>>;
      };
      // Deletes wait for seconds in place of a minute and a half if an object is in use.
      const brief = Object.entries(resource).map(([type, objects]) => [
        type,
        Object.fromEntries(
          Object.entries(objects).map(([name, values]) => [name, { ...values, timeouts: { delete: "5s" } }]),
        ),
      ]);
      await writeFile(
        join(folder.path, "main.tf.json"),
        JSON.stringify({ ...rest, resource: Object.fromEntries(brief) }),
      );
    },
    async begin() {
      await succeed(folder, ["init"]);
      return (await folder.run(["apply", "-auto-approve"])).code === 0;
    },
    async plan() {
      await succeed(folder, ["plan", "-out=planned"]);
      return succeed(folder, ["show", "-json", "planned"]);
    },
    async apply() {
      const { code, output } = await folder.run(["apply", "-json", "planned"]);
      return { code, log: output, state: await succeed(folder, ["show", "-json"]) };
    },
  };
}

async function pulumi(site: Site, engine: Engine): Promise<Workspace> {
  const project = await openProject(engine, await site.folder(), environmentOf(site));
  const up = ["up", "--yes", "--skip-preview"];
  return {
    write: (stack) =>
      project.write(
        "pulumi",
        stack,
        Object.fromEntries(stack.map(({ name }) => [name, { customTimeouts: { delete: "5s" } }])),
      ),
    begin: async () => (await project.run(up)).code === 0,
    plan: () => project.done("preview", "--json", "--show-sames", "--show-replacement-steps"),
    async apply() {
      const path = join(project.path, "log.jsonl");
      const { code } = await project.run([...up, "--event-log", path], {
        environment: { PULUMI_DEBUG_COMMANDS: "true" },
      });
      return { code, log: await readFile(path, "utf8"), state: await project.done("stack", "export") };
    },
  };
}

/** Returns the kinds of the objects of the cloud by their KRNs. */
const cloudOf = ({ emulator }: Site): Map<string, string> =>
  new Map(emulator.inventory.list().map(({ krn, kind }) => [krn, kind.replaceAll("_", "-")]));

/** Adds a fault for one of the next requests that change something. */
function addFault({ emulator }: Site, draw: Draw): void {
  const [kind, when] = draw.pick([
    ["403", "before"],
    ["500", "before"],
    ["500", "after"],
    ["reset", "before"],
    ["reset", "after"],
  ] as const);
  const method = draw.pick(["POST", "POST", "DELETE", "DELETE", "PUT"]);
  emulator.faults.add({ target: `${method} /*`, kind, when, from: draw.int(1, 3), times: draw.int(1, 12) });
}

/** Returns how the report contradicts the cloud. */
function contradictions(
  report: Report,
  before: ReadonlyMap<string, string>,
  after: ReadonlyMap<string, string>,
): string[] {
  const ids = new Map(
    // The API keeps jobs that have ended, and cannot delete a port, of which the engine warns.
    report.changes.map(({ address, id, kind }) => [
      address,
      /^(document|text)-|^port$/.test(kind) ? undefined : id,
    ]),
  );
  return (report.applied?.objects ?? []).flatMap(({ address, kind, planned, outcome, exists, id }) => {
    const old = ids.get(address);
    // The ids of some kinds are no KRNs, or those of other objects, as of the bucket of a policy.
    const isKnown = (one: string | undefined): one is string =>
      one !== undefined && (before.get(one) ?? after.get(one)) === kind;
    const wrong: string[] = [];
    const say = (text: string) => wrong.push(`${planned} ${address} is ${outcome}: ${text}`);
    if (outcome === "done" && exists && isKnown(id) && !after.has(id)) say("the cloud does not have it");
    if (
      outcome === "done" &&
      (planned === "delete" || planned === "replace") &&
      isKnown(old) &&
      old !== id &&
      after.has(old)
    )
      say("the cloud has the old object");
    if (outcome === "not reached" && isKnown(old) && !after.has(old))
      say("the cloud does not have it any more");
    return wrong;
  });
}

/** Returns the objects of the first state that the cloud lost and of which the report does not say that something was tried. */
function lost(
  report: Report,
  before: ReadonlyMap<string, string>,
  after: ReadonlyMap<string, string>,
): string[] {
  const rows = new Map((report.applied?.objects ?? []).map((row) => [row.address, row]));
  return report.changes.flatMap(({ address, id }) => {
    if (id === undefined || !before.has(id) || after.has(id)) return [];
    const row = rows.get(address);
    const isTried =
      row !== undefined && ["delete", "replace"].includes(row.planned) && row.outcome !== "not reached";
    return isTried ? [] : [`${address} is lost: ${row?.planned} ${row?.outcome}`];
  });
}

test.each(seeds)("the report after the apply of edit %s agrees with the cloud", async (seed) => {
  const index = Number(seed) % engines.length;
  const engine = engines[index] ?? engines[0];
  const draw = createDraw(`applied ${seed}`);
  const { before, after } = drawEdit(seed);
  const isFaulty = draw.chance(0.8);
  await withSite({ seed }, async (site) => {
    const workspace = await (engine.name === "pulumi" ? pulumi : terraform)(site, engine);
    await workspace.write(before);
    if (!(await workspace.begin())) throw new Error("the first stack was refused");
    await workspace.write(after);
    const plan = await workspace.plan();
    const old = cloudOf(site);
    if (isFaulty) addFault(site, draw);
    const { log, state, code } = await workspace.apply();
    site.emulator.faults.clear();
    const cloud = cloudOf(site);
    const approved = reportOf({ net: plan });
    const apply = { log: applyLogIn(logLines(log)), state: readApplyState(state) };
    const report = decideApplied(
      approved,
      appliedOf(approved, { applies: new Map([["net", apply]]), exitCode: code ?? undefined }),
    );
    const facts = { outcomes: outcomesIn(report), reasons: report.verdict.reasons };
    expect({ ...facts, wrong: [...contradictions(report, old, cloud), ...lost(report, old, cloud)] }).toEqual(
      {
        ...facts,
        wrong: [],
      },
    );
    // An apply that ends by itself is complete, or incomplete: nothing is unknown.
    expect({ ...facts, code: report.verdict.code }).toEqual({ ...facts, code: code === 0 ? 0 : 7 });
  });
});
