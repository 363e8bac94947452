import { copyFile, cp, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import type { Report } from "../../../review/report/report.ts";
import { type Machine, root, type Team } from "./team.ts";

/** Engine-specific part of the last section of the guide. */
export interface ReviewSetting {
  readonly team: Team;
  /** Opens a machine that can reach the shared state, without files of the stack. */
  open(name: string): Promise<Machine>;
  /** Writes a stack with a VPC and these volumes. */
  write(machine: Machine, volumes: readonly string[]): Promise<void>;
  /** Prepares the shared state and the files that are committed with the stack. */
  prepare(machine: Machine): Promise<unknown>;
  /** Applies the stack of a machine without a review. */
  apply(machine: Machine): Promise<unknown>;
}

const identity = "git -c user.name=ann -c user.email=ann@example.com";

/** Runs the script of examples/review on machines that share a Git repository and the state of a stack. */
export function testReview(settingOf: () => ReviewSetting): void {
  test("plan, review and apply run on different machines, and only the approved changes are applied", async () => {
    const { team, open, write, prepare, apply } = settingOf();
    const ann = await open("ann");
    const repository = join(ann.path, ".repository");
    await ann.write({ ".gitignore": "/.*\n!/.gitignore\n!/.terraform.lock.hcl\n" });
    await cp(join(root, "examples/review/policy"), join(ann.path, "review"), { recursive: true });
    await cp(join(root, "examples/review/review.sh"), join(ann.path, "review/review.sh"));
    await write(ann, ["orders"]);
    await prepare(ann);
    await ann.sh(`git init -q --bare -b main ${repository} && git init -q -b main && git add -A`);
    await ann.sh(`${identity} commit -q -m "A shop" && git push -q ${repository} main`);

    const checkout = async (name: string): Promise<Machine> => {
      const machine = await open(name);
      await machine.sh(`git init -q -b main && git pull -q ${repository} main`);
      await machine.done(`export OUT=${join(machine.path, ".out")}`);
      return machine;
    };
    const planner = await checkout("planner");
    const applier = await checkout("applier");
    const reviewed = async (): Promise<Report> => {
      await planner.done("sh review/review.sh plan");
      await planner.done("sh review/review.sh review HEAD");
      return JSON.parse(await readFile(join(planner.path, ".out/report.json"), "utf8"));
    };

    // A machine without credentials and without the state reads the report.
    const { approval: early } = await reviewed();
    const credentials = { SERVICE_BASE_URL: undefined, SERVICE_API_KEY: undefined };
    const reviewer = await team.machine("reviewer", credentials);
    await copyFile(join(planner.path, ".out/report.json"), join(reviewer.path, "report.json"));
    const text = await reviewer.done("kcloud review --in report.json --out text");
    expect(text).toContain("orders");
    expect(text).toContain(early.digest);

    // Another machine applies a part in between: the plan is no longer the approved one.
    await write(ann, []);
    await apply(ann);
    const before = team.existing();
    expect(before).toHaveLength(1);
    expect(await applier.run(`sh review/review.sh apply HEAD ${early.digest}`)).toMatchObject({ code: 5 });
    expect(team.existing()).toEqual(before);

    const { approval } = await reviewed();
    await applier.done(`sh review/review.sh apply HEAD ${approval.digest}`);
    expect(team.existing()).toHaveLength(2);
    expect(team.emulator.log.counts()).toMatchObject({ create_vpc: 1, create_volume: 1 });
    expect((await reviewed()).changes).toEqual([]);
  });
}
