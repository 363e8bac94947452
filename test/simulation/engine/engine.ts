import type { Failure, Run } from "../fake-engine.ts";
import { type Change, previewAll } from "./preview.ts";
import { applyPulumi, refreshPulumi } from "./pulumi.ts";
import { applyTerraform, refreshTerraform } from "./terraform.ts";

/** Commands of a fake engine. */

/** Reads every object of the state and updates the state; returns the errors. */
export const refresh = (run: Run): Promise<Failure[]> =>
  run.engine === "pulumi" ? refreshPulumi(run) : refreshTerraform(run);

/** Returns the planned changes; sends nothing. Throws `PlanError`. */
export const plan = (run: Run): Change[] => previewAll(run).filter(({ action }) => action !== "none");

/** Applies the stack as far as possible; returns the errors. Throws `PlanError`. */
export const apply = (run: Run): Promise<Failure[]> =>
  run.engine === "pulumi" ? applyPulumi(run) : applyTerraform(run);
