import type { Rehearsed } from "../model/outcome.ts";
import type { Plan } from "../model/plan.ts";
import type { Rehearsal } from "../model/rehearsal.ts";
import { readText } from "../read/file.ts";
import { NotReviewableError, UnreadableError } from "../read/read.ts";
import { parseRehearsal, withoutSecrets } from "../read/rehearsal.ts";
import { approvalOf } from "../report/digest.ts";
import { visible } from "../report/value.ts";
import { isTooDeep } from "./input.ts";
import type { RehearsalFile } from "./option.ts";

/** Files of rehearsals, and the inputs to which they belong. */

export interface Rehearsals {
  readonly rehearsals: readonly Rehearsed[];
  /** Sentences on the files that cannot be used. */
  readonly problems: readonly string[];
}

export const noRehearsals: Rehearsals = { rehearsals: [], problems: [] };

/**
 * Reads rehearsals. Each belongs to the input that has its approval digest: a rehearsal of another plan shows nothing about the
 * reviewed one. Throws `UnreadableError` for a file that cannot be opened.
 */
export function readRehearsals(files: readonly RehearsalFile[], plans: readonly Plan[]): Rehearsals {
  const rehearsals: Rehearsed[] = [];
  const problems: string[] = [];
  for (const file of files)
    try {
      rehearsals.push(readRehearsal(file, plans));
    } catch (error) {
      const name = visible(file.path);
      if (error instanceof UnreadableError) throw new UnreadableError(`${name} ${error.message}`);
      if (!(error instanceof NotReviewableError) && !isTooDeep(error)) throw error;
      const reason = error instanceof NotReviewableError ? visible(error.message) : "is nested too deeply";
      problems.push(`The rehearsal ${name} cannot be used: it ${reason}`);
    }
  return { rehearsals, problems };
}

function readRehearsal({ name, path }: RehearsalFile, plans: readonly Plan[]): Rehearsed {
  const rehearsal = parseRehearsal(readText(path));
  const fitting = plans.filter((plan) => isOf(rehearsal, plan) && (name ?? plan.name) === plan.name);
  const [plan, other] = fitting;
  if (plan === undefined)
    throw new NotReviewableError(
      `is of another plan than ${name ?? plans.map((one) => one.name).join(", ")}: rehearse the plan that is reviewed (kcloud rehearse --plan)`,
    );
  if (other !== undefined)
    throw new NotReviewableError(
      `fits ${plan.name} and ${other.name}: name the input, as in --rehearsal ${plan.name}=${path}`,
    );
  const addresses = new Set(plan.changes.map(({ address }) => address));
  return { plan: plan.name, rehearsal: withoutSecrets(rehearsal, addresses) };
}

/** Returns true if a plan has the approval digest of a rehearsal, which read the plan as JSON. */
function isOf({ approval }: Rehearsal, plan: Plan): boolean {
  if (plan.engine === "unknown") return false;
  const { configuration, ...json } = plan;
  return [plan, ...(configuration === undefined ? [] : [json])].some(
    (one) => approvalOf([one], undefined).digest === approval,
  );
}
