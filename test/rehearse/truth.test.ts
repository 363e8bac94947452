import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import type { Rehearsal } from "../../review/model/rehearsal.ts";
import type { Engine } from "../../tools/engines/engine.ts";
import type { Stack } from "../adapter/adapter.ts";
import { type Site, withSite } from "../support/engine/site.ts";
import { configuration, type Folder, succeed } from "../support/engine/terraform.ts";
import { storageSettings } from "../support/storage-setting.ts";
import { rehearse } from "./run.ts";
import {
  comparable,
  drawEdit,
  drawnSeeds,
  type Edit,
  enginesInTurn,
  type Happened,
  type Outcome,
} from "./truth.ts";
import { rehearseAndApplyProgram } from "./truth-program.ts";

/**
 * Compares rehearsals with what happens then. `KCLOUD_TRUTH=60` draws that many edits instead of a few, from `KCLOUD_TRUTH_SEED` on.
 */

const { count, first, seeds } = drawnSeeds();
const engines = await enginesInTurn();

const ofClass: Readonly<Record<Rehearsal["objects"][number]["class"], Outcome>> = {
  ...{ untouched: "none", "not reached": "none", created: "created", changed: "changed" },
  ...{ replaced: "replaced", destroyed: "destroyed", failed: "failed" },
};

const ofActions: Readonly<Record<string, Outcome>> = {
  ...{ create: "created", update: "changed", delete: "destroyed" },
  ...{ "create,delete": "replaced", "delete,create": "replaced" },
};

/** Applies the configuration in a folder. */
async function apply(folder: Folder): Promise<Happened> {
  const { code, output } = await folder.run(["apply", "-auto-approve", "-json"]);
  const lines = output
    .split("\n")
    .filter((line) => line.startsWith("{"))
    .map((line) => JSON.parse(line));
  const actions = new Map<string, string[]>();
  const outcomes = new Map<string, Outcome>();
  for (const { type, hook } of lines)
    if (type === "apply_complete" && hook.action !== "read")
      actions.set(hook.resource.addr, [...(actions.get(hook.resource.addr) ?? []), hook.action]);
  for (const [address, list] of actions) outcomes.set(address, ofActions[list.join()] ?? "none");
  const failures = lines.filter(({ diagnostic }) => diagnostic?.severity === "error");
  for (const { diagnostic } of failures) outcomes.set(diagnostic.address, "failed");
  for (const { type, hook } of lines)
    if (type === "apply_errored") outcomes.set(hook.resource.addr, "failed");
  return {
    outcomes,
    errors: failures.map(({ diagnostic }) => comparable(`${diagnostic.summary}: ${diagnostic.detail}`)),
    isConverged: code === 0 ? (await folder.run(["plan", "-detailed-exitcode"])).code === 0 : undefined,
  };
}

interface Configured {
  readonly resource: Readonly<Record<string, Readonly<Record<string, object>>>>;
}

/** Returns a configuration whose deletes wait for seconds in place of a minute and a half if an object is in use. */
function brief(configuration: object): object {
  const timeouts = { delete: "5s" };
  const resource = Object.entries((configuration as Configured).resource).map(([type, objects]) => [
    type,
    Object.fromEntries(Object.entries(objects).map(([name, values]) => [name, { ...values, timeouts }])),
  ]);
  return { ...configuration, resource: Object.fromEntries(resource) };
}

/**
 * Applies the first stack, rehearses the second one, and applies it in a cloud with the answers of the edit. Returns nothing if
 * this cloud refuses the first stack.
 */
async function rehearseAndApply(
  site: Site,
  engine: Engine,
  { before, after, assume }: Edit,
  prepare: (folder: Folder) => Promise<readonly string[]> = async () => [],
) {
  const folder = await site.open(engine, { SERVICE_SETTLE_SECONDS: "1", ...storageSettings(site.url) });
  const write = (stack: Stack) =>
    writeFile(join(folder.path, "main.tf.json"), JSON.stringify(brief(configuration(stack))));
  site.emulator.configure({ assume });
  await write(before);
  await succeed(folder, ["init"]);
  const { code: refused, output } = await folder.run(["apply", "-auto-approve"]);
  if (refused !== 0 && Object.keys(assume).length === 0) throw new Error(output);
  if (refused !== 0) return undefined;
  const args = await prepare(folder);
  await write(after);
  const { code, rehearsal, stderr } = await rehearse(site, engine, folder, { args });
  if (code !== 0 && code !== 3) throw new Error(stderr);
  return { rehearsal, happened: await apply(folder) };
}

interface Compared {
  readonly objects: number;
  /** Objects with assumptions. */
  readonly assumed: number;
  /** Objects with another outcome than the rehearsed one, which the report does not explain. */
  readonly wrong: readonly string[];
}

function compare({ assume, seed }: Edit, rehearsal: Rehearsal, happened: Happened): Compared {
  const answered = Object.keys(assume);
  const named = new Set(rehearsal.objects.flatMap(({ assumptions }) => assumptions));
  const explains = (assumptions: readonly string[]) => assumptions.some((name) => answered.includes(name));
  const isExplained = explains([...named]);
  const wrong = rehearsal.objects.flatMap(({ address, class: effect }) => {
    const [expected, found] = [ofClass[effect], happened.outcomes.get(address) ?? "none"];
    return expected === found || isExplained
      ? []
      : [`${seed} ${address}: rehearsed ${expected}, was ${found}`];
  });
  const isConverged = rehearsal.secondPlan === undefined ? undefined : rehearsal.secondPlan.length === 0;
  if (!isExplained && isConverged !== happened.isConverged)
    wrong.push(`${seed} second plan: rehearsed ${isConverged}, was ${happened.isConverged}`);
  const errors = rehearsal.errors.map(({ text }) => comparable(text)).toSorted();
  if (!isExplained && errors.join("\n") !== happened.errors.toSorted().join("\n"))
    wrong.push(`${seed} errors: rehearsed ${errors.join(" | ")}, were ${happened.errors.join(" | ")}`);
  return {
    objects: rehearsal.objects.length,
    assumed: rehearsal.objects.filter(({ assumptions }) => assumptions.length > 0).length,
    wrong,
  };
}

test("an assumption that decides is named at its object", async () => {
  const seed = "decided";
  const [vpc, subnet] = [
    { name: "network", resource: "vpc", inputs: { name: "around" } },
    {
      ...{ name: "yard", resource: "subnet" },
      inputs: { vpcId: { ref: "network", property: "id" }, name: "yard", cidr: "10.0.9.0/24" },
    },
  ];
  const place = { vpcId: { ref: "network", property: "id" }, subnetId: { ref: "yard", property: "id" } };
  const port = { name: "pole", resource: "port", inputs: { ...place, name: "pole" } };
  const edit: Edit = {
    ...{ seed, before: [vpc, subnet, port], after: [vpc] },
    assume: { subnetDeleteWithPorts: "conflict" },
  };
  await withSite({ taskMs: 20, seed }, async (site) => {
    // A port of somebody else, which the given inventory has.
    const both = await rehearseAndApply(site, engines[0], edit, async (folder) => {
      await succeed(folder, ["state", "rm", "kcloud_port.pole"]);
      const inventory = join(site.path, "inventory.json");
      await writeFile(inventory, JSON.stringify(site.emulator.snapshot()));
      return ["--inventory", inventory];
    });
    if (both === undefined) throw new Error("the first apply failed");
    const { rehearsal, happened } = both;
    const subnet = rehearsal.objects.find(({ address }) => address === "kcloud_subnet.yard");
    expect(subnet).toMatchObject({ class: "destroyed", assumptions: ["subnetDeleteWithPorts"] });
    expect(happened.outcomes.get("kcloud_subnet.yard")).toBe("failed");
    expect(compare(edit, rehearsal, happened).wrong).toEqual([]);
  });
});

test(`rehearsals of ${count} drawn edits from seed ${first} are true`, async () => {
  const compared: Compared[] = [];
  for (const [index, seed] of seeds.entries()) {
    const engine = engines[index % engines.length] ?? engines[0];
    const edit = drawEdit(seed);
    await withSite({ taskMs: 20, seed: `cloud ${seed}` }, async (site) => {
      const run = engine.name === "pulumi" ? rehearseAndApplyProgram : rehearseAndApply;
      const both = await run(site, engine, edit);
      if (both === undefined) return console.info(`${seed} ${JSON.stringify(edit.assume)}: refused`);
      const { rehearsal, happened } = both;
      const result = compare(edit, rehearsal, happened);
      compared.push(result);
      console.info(
        [
          `${seed} ${engine.name} ${JSON.stringify(edit.assume)}: ${rehearsal.objects.map((object) => object.class).join(", ")}`,
          ...rehearsal.errors.map(({ address, text }) => `  ${address}: ${text.slice(0, 300)}`),
          ...result.wrong,
        ].join("\n"),
      );
    });
  }
  // Few answers refuse a stack at once.
  expect(compared.length).toBeGreaterThanOrEqual(Math.floor(count * 0.8));
  const sum = (of: (one: Compared) => number) => compared.reduce((total, one) => total + of(one), 0);
  const total = sum(({ objects }) => objects);
  const wrong = compared.flatMap((one) => one.wrong);
  console.info(
    `${compared.length} edits, ${total} objects, ${sum(({ assumed }) => assumed)} with assumptions`,
  );
  // A single object of a small sample is more than the share of a large one.
  expect(wrong.length).toBeLessThanOrEqual(Math.max(1, total * 0.02));
  if (total >= 200) expect(sum(({ assumed }) => assumed) / total).toBeLessThanOrEqual(0.1);
});
