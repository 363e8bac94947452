import { spawnSync } from "node:child_process";
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "@jest/globals";
import { readPlanFile } from "../../../review/read/binary-plan.ts";
import { NotReviewableError } from "../../../review/read/read.ts";
import type { Report } from "../../../review/report/report.ts";
import { type Engine, terraformEngines } from "../../../tools/engines/engine.ts";
import { runSources } from "../command/run.ts";

/** Plan files of the real engines, with a resource that is built into the engines and needs no provider. */

const engines = await terraformEngines();

const commandOf = ({ name }: Engine): string => (name === "opentofu" ? "tofu" : "terraform");

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "kcloud-plan-file-"));
});

afterEach(() => rmSync(folder, { recursive: true }));

function run(engine: Engine, ...args: string[]): void {
  const { status, stdout, stderr } = spawnSync(engine.path, args, {
    cwd: folder,
    env: { ...process.env, ...engine.env, CHECKPOINT_DISABLE: "1", TF_IN_AUTOMATION: "1", TF_INPUT: "0" },
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(`${args.join(" ")}: ${stdout}${stderr}`);
}

const write = (input: string): void =>
  writeFileSync(join(folder, "main.tf"), `resource "terraform_data" "one" {\n  input = "${input}"\n}\n`);

/** Plans a change of an applied configuration; returns the path of the plan file. */
function planned(engine: Engine): string {
  write("old");
  run(engine, "init");
  run(engine, "apply", "-auto-approve");
  write("new");
  run(engine, "plan", "-out", "planned");
  return join(folder, "planned");
}

/** Returns an environment whose PATH has these engines only. */
function withEngines(...found: readonly Engine[]): Record<string, string> {
  const bin = mkdtempSync(join(folder, "bin-"));
  for (const engine of found) symlinkSync(engine.path, join(bin, commandOf(engine)));
  return { PATH: bin };
}

const review = async (environment: Record<string, string>, ...args: string[]) => {
  const { code, stdout } = await runSources([...args, "--fail-on", "none", "--out", "json"], environment);
  return { code, report: JSON.parse(stdout) as Report };
};

const state = (): { serial: number; lineage: string } =>
  JSON.parse(readFileSync(join(folder, "terraform.tfstate"), "utf8"));

describe.each(engines.map((engine) => [`${engine.name} ${engine.version}`, engine] as const))(
  "%s",
  (_, engine) => {
    const other = engines.find(({ version }) => version !== engine.version) as Engine;

    test("a plan file is reviewed like its JSON, with serial and lineage of the state", async () => {
      const path = planned(engine);
      const { code, report } = await review(withEngines(engine), "--in", path);
      expect(code).toBe(0);
      const { serial, lineage } = state();
      expect(report.plans).toMatchObject([
        { engine: engine.name, engineVersion: engine.version, prior: { serial, lineage } },
      ]);
      expect(report.changes.map(({ address, action }) => [address, action])).toEqual([
        ["terraform_data.one", "update"],
      ]);
      const { stdout } = spawnSync(engine.path, ["show", "-json", "planned"], {
        cwd: folder,
        env: { ...process.env, ...engine.env },
        encoding: "utf8",
      });
      // OpenTofu prints a warning about its CLI configuration before the JSON.
      writeFileSync(join(folder, "planned.json"), stdout.slice(stdout.search(/^\{/m)));
      const shown = await review({}, "--in", join(folder, "planned.json"));
      expect(shown.report.approval).toEqual(report.approval);
      expect(shown.report.changes).toEqual(report.changes);
    });

    test("a plan file in another folder is read in the folder of --chdir", async () => {
      const path = join(folder, "away/planned");
      const from = planned(engine);
      mkdirSync(dirname(path));
      copyFileSync(from, path);
      expect((await review(withEngines(engine), "--in", path, "--chdir", folder)).code).toBe(0);
    });

    test("4: the commands on PATH have other versions, or there are none", async () => {
      const path = planned(engine);
      const mismatched = await review(withEngines(other), "--in", path);
      expect([mismatched.code, mismatched.report.verdict.reasons]).toEqual([
        4,
        [
          `planned cannot be reviewed: is a plan file of version "${engine.version}", which only that version can read; PATH has ${commandOf(other)} ${other.version}: pass the output of show -json`,
        ],
      ]);
      const none = await review(withEngines(), "--in", path);
      expect([none.code, none.report.verdict.reasons.join()]).toEqual([
        4,
        expect.stringContaining("neither terraform nor tofu is on PATH"),
      ]);
    });

    test("5: verify finds that the state changed after the review", async () => {
      const path = planned(engine);
      const environment = withEngines(engine);
      const { report } = await review(environment, "--in", path);
      const before = join(folder, "report.json");
      writeFileSync(before, JSON.stringify(report));
      const verify = () =>
        runSources(
          ["verify", "--in", path, "--approved", report.approval.digest, "--report", before],
          environment,
        );
      expect((await verify()).code).toBe(0);
      // Another change is applied and undone, and the same plan is created once more.
      const { serial } = state();
      write("other");
      run(engine, "apply", "-auto-approve");
      write("old");
      run(engine, "apply", "-auto-approve");
      write("new");
      run(engine, "plan", "-out", "planned");
      const ran = await verify();
      expect(ran.code).toBe(5);
      expect(state().serial).toBeGreaterThan(serial);
      expect(ran.stderr).toContain(
        `planned: the state changed since the review, from serial ${serial} to ${state().serial}.`,
      );
      // The same configuration with a new state.
      rmSync(join(folder, "terraform.tfstate"));
      rmSync(join(folder, "terraform.tfstate.backup"));
      run(engine, "plan", "-out", "planned");
      expect((await verify()).stderr).toMatch(
        /planned was made from another state: its lineage is |not the approved/,
      );
    });

    test("a plan file that is truncated or damaged anywhere is rejected, or has the same version", () => {
      const content = readFileSync(planned(engine));
      for (let at = 4; at < content.length; at += Math.ceil(content.length / 200)) {
        const damaged = Buffer.from(content);
        damaged[at] = (damaged[at] ?? 0) ^ 0xff;
        for (const bytes of [content.subarray(0, at), damaged])
          try {
            expect(typeof readPlanFile(bytes).version).toBe("string");
          } catch (error) {
            expect(error).toBeInstanceOf(NotReviewableError);
          }
      }
      expect(() => readPlanFile(content.subarray(0, -30))).toThrow(/is truncated/);
    });
  },
);

test("4: a plan file on standard input", async () => {
  const script = `printf 'PK\\003\\004' | "${process.execPath}" --no-warnings command/kcloud.ts review --in -`;
  const root = join(import.meta.dirname, "../../..");
  const { status, stdout } = spawnSync("sh", ["-c", script], { cwd: root, encoding: "utf8" });
  expect(status).toBe(4);
  expect(stdout.replace(/\s+/g, " ")).toContain(
    "stdin cannot be reviewed: is a plan file on standard input: pass its path",
  );
});
