import { readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { inFolder } from "../folder.ts";
import { type Figure, interleave, type Measure, over, ratio, type Unit } from "../measure.ts";
import { checkov } from "../peer/checkov.ts";
import { root } from "../plugin.ts";
import { untilExit, usageUntilExit } from "../process.ts";

const kcloud = join(root, "dist/kcloud");

interface Row {
  readonly address: string;
  readonly name: string;
  readonly type: string;
  readonly change: {
    readonly actions: readonly string[];
    readonly before?: object | null;
    readonly after?: object | null;
  };
}

interface RealPlan {
  readonly resource_changes: readonly Row[];
  readonly configuration: { readonly root_module: { readonly resources: readonly Configured[] } };
}

interface Configured {
  readonly address: string;
}

const realPlan = async (): Promise<RealPlan> =>
  JSON.parse(await readFile(join(root, "test/review/fixture/terraform-1.16.0.json"), "utf8")) as RealPlan;

/** Returns a plan with these rows, whose parts agree: the instances of one resource. */
function planOf(plan: RealPlan, rows: readonly Row[]): string {
  const [first] = rows;
  const resources = plan.configuration.root_module.resources
    .filter(({ address }) => first?.address.startsWith(`${address}[`))
    .map((resource) => ({ ...resource, count_expression: { constant_value: rows.length } }));
  const planned = rows.map(({ address, type, name, change }) => ({
    ...{ address, mode: "managed", type, name, values: change.after },
  }));
  const prior = rows
    .filter(({ change }) => change.before)
    .map(({ address, type, name, change }) => ({
      ...{ address, mode: "managed", type, name, values: change.before },
    }));
  return JSON.stringify({
    ...plan,
    planned_values: { root_module: { resources: planned } },
    resource_changes: rows,
    resource_drift: [],
    output_changes: {},
    prior_state: { values: { root_module: { resources: prior } } },
    configuration: { ...plan.configuration, root_module: { resources } },
  });
}

/** Multiplies the update of a volume in a real plan. Returns the plan as JSON. */
export async function multiplied(count: number): Promise<string> {
  const plan = await realPlan();
  const update = plan.resource_changes.find(
    ({ type, change }) => type === "kcloud_volume" && change.actions.join() === "update",
  );
  if (update === undefined) throw new Error("the plan has no update of a volume");
  const source = JSON.stringify(update);
  const rows = Array.from({ length: count }, (_, at) => {
    // Every copy has a unique id, address and names.
    const mark = at.toString(16).padStart(12, "0");
    const row = source
      .replaceAll(/[0-9a-f]{12}(?=\\?")/g, mark)
      .replaceAll(`"${update.name}"`, `"${update.name}_${at}"`);
    return { ...(JSON.parse(row) as Row), address: `kcloud_volume.${update.name}[${at}]` };
  });
  return planOf(plan, rows);
}

/** Multiplies the update of a volume, each with other changed values, of which each instance has some more. */
export async function different(count: number): Promise<string> {
  const plan = JSON.parse(await multiplied(count)) as RealPlan;
  const rows = plan.resource_changes.map((row, at) => {
    const labels = Object.fromEntries(
      Array.from({ length: (at % 7) + 1 }, (_, index) => [
        `label-${(at * 31 + index) % 997}`,
        `value ${at} of ${index}`,
      ]),
    );
    const after = {
      ...row.change.after,
      size_gb: 30 + at,
      metadata: labels,
      description: `Volume ${at} of the shop`,
    };
    return { ...row, change: { ...row.change, after } };
  });
  return planOf(plan, rows);
}

/** Multiplies an instance of a real plan, each with a unique name and user data. Returns the plan as JSON. */
export async function withSecrets(count: number): Promise<string> {
  const plan = await realPlan();
  const instance = plan.resource_changes.find(
    ({ type, change }) => type === "kcloud_instance" && change.after !== null,
  );
  if (instance === undefined) throw new Error("the plan has no instance");
  const { change } = instance;
  const rows = Array.from({ length: count }, (_, at) => {
    const script = `#!/bin/sh\n# machine ${at} of the shop\nexport TOKEN=${(at * 7919 + 1_234_567).toString(36)}\n`;
    const after = {
      ...change.after,
      name: `machine-${at}`,
      description: `The machine ${at}`,
      user_data: script,
    };
    return {
      ...instance,
      address: `kcloud_instance.${instance.name}[${at}]`,
      change: {
        actions: ["create"],
        before: null,
        after,
        after_unknown: {},
        after_sensitive: { user_data: true },
      },
    };
  });
  return planOf(plan, rows);
}

/** Time of the review of many updates, compared with parsing the same file, and time of its help. */
export const review: Measure = {
  name: "review",
  about: "help and reports of kcloud review",
  run: (bench) =>
    inFolder(async (folder) => {
      const { execPath: node } = process;
      const file = (count: number) => join(folder, `${count}.json`);
      const counts = [2_000, 10_000, 50_000] as const;
      for (const count of counts) await writeFile(file(count), await multiplied(count));
      const secrets = (count: number) => join(folder, `secrets-${count}.json`);
      for (const count of [400, 2_000]) await writeFile(secrets(count), await withSecrets(count));
      const outputs = ["text", "md", "html", "json", "sarif", "junit", "annotations", "gitlab"].flatMap(
        (format) => ["--out", `${format}:${join(folder, `report.${format}`)}`],
      );
      const others = join(folder, "different.json");
      await writeFile(others, await different(5_000));
      const argsOf = (plan: string) => [
        ...[kcloud, "review", "--in", `net=${plan}`, "--fail-on", "none"],
        ...outputs,
      ];
      const args = (count: number) => argsOf(file(count));
      const report = (count: number) => untilExit(node, args(count));
      const parsing = [
        "-e",
        `JSON.parse(require("node:fs").readFileSync(${JSON.stringify(file(10_000))}, "utf8"))`,
      ];
      const processorTime = async (of: readonly string[]) => (await usageUntilExit(of)).processor;
      bench.step("checkov over 10,000 updates");
      const peer = await checkov();
      const peers = await interleave(bench.rounds(3), {
        checkov: () =>
          untilExit(peer, ["--file", file(10_000), "--framework", "terraform_plan", "--compact", "--quiet"]),
      });
      const figure = (what: string, unit: Unit, samples: readonly number[], goal?: number): Figure => ({
        what: `review: ${what}`,
        unit,
        samples,
        goal,
      });
      bench.report(figure("checkov, 10,000 updates, one output", "ms", peers.checkov));
      const rounds = bench.rounds(9);
      bench.step(`${rounds} rounds of ten runs`);
      const samples = await interleave(rounds, {
        floor: () => untilExit(node, ["-e", "0"]),
        help: () => untilExit(node, [kcloud, "review", "--help"]),
        parse: () => untilExit(node, parsing),
        small: () => report(2_000),
        middle: () => report(10_000),
        large: () => report(50_000),
        different: () => untilExit(node, argsOf(others)),
        parseDifferent: () =>
          untilExit(node, [
            "-e",
            `JSON.parse(require("node:fs").readFileSync(${JSON.stringify(others)}, "utf8"))`,
          ]),
        fewSecrets: () => untilExit(node, argsOf(secrets(400))),
        manySecrets: () => untilExit(node, argsOf(secrets(2_000))),
      });
      const own = (taken: readonly number[]) => over(taken, samples.help);
      bench.report(
        figure("help ÷ `node -e 0`", "×", ratio(samples.help, samples.floor), 1.5),
        figure("10,000 updates, all outputs, less help", "ms", own(samples.middle)),
        figure("`JSON.parse` of the plan, less `node -e 0`", "ms", over(samples.parse, samples.floor)),
        figure(
          "10,000 updates ÷ `JSON.parse`",
          "×",
          ratio(own(samples.middle), over(samples.parse, samples.floor)),
          4.5,
        ),
        figure(
          "5,000 different updates ÷ `JSON.parse`",
          "×",
          ratio(own(samples.different), over(samples.parseDifferent, samples.floor)),
          18,
        ),
        figure("10,000 ÷ 2,000 updates", "×", ratio(own(samples.middle), own(samples.small)), 6),
        figure("50,000 ÷ 10,000 updates", "×", ratio(own(samples.large), own(samples.middle)), 6),
        figure("2,000 ÷ 400 secrets", "×", ratio(own(samples.manySecrets), own(samples.fewSecrets)), 6),
      );
      const times = await interleave(rounds, {
        floor: () => processorTime(["-e", "0"]),
        help: () => processorTime([kcloud, "review", "--help"]),
        parse: () => processorTime(parsing),
        middle: () => processorTime(args(10_000)),
      });
      bench.report(
        figure(
          "10,000 updates ÷ `JSON.parse`, processor time",
          "×",
          ratio(over(times.middle, times.help), over(times.parse, times.floor)),
        ),
      );
      const { size } = await stat(file(10_000));
      const peak = (await usageUntilExit(args(10_000))).peak / size;
      bench.report(figure("10,000 updates, peak memory ÷ size of the plan", "×", [peak], 6));
    }),
};
