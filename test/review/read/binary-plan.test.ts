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
import { dirname, join } from "node:path";
import { describe, expect, test } from "@jest/globals";
import type { Report } from "../../../review/report/report.ts";
import type { Engine } from "../../../tools/engines/engine.ts";
import { runSources } from "../command/run.ts";
import { engines, folder, planned, run, write } from "./plan-file.ts";

/** Plan files of the real engines. */

const commandOf = ({ name }: Engine): string => (name === "opentofu" ? "tofu" : "terraform");

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
