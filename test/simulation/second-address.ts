import { reveal, type Values } from "../../provider/core/value.ts";
import { hasShownOnce } from "../../provider/definition/resource.ts";
import { importId } from "../../provider/engine/remediation.ts";
import { resource } from "../support/cloud.ts";
import type { Draw } from "./draw.ts";
import { apply, plan } from "./engine/engine.ts";
import { importObject, type Run } from "./fake-engine.ts";
import type { GroundTruth } from "./ground-truth.ts";
import { type Item, needsOf } from "./item.ts";
import { kinds } from "./kind.ts";
import type { Report } from "./report.ts";
import { namesKept, type State } from "./state.ts";

/** Objects that are in one state at two addresses. */

/** Execution of a schedule in which nothing is left to do. */
interface Calm {
  /** Starts a new process for a stack. */
  readonly begin: (stack: readonly Item[]) => Run;
  readonly stack: readonly Item[];
  readonly state: State;
  readonly truth: GroundTruth;
  readonly report: Report;
  readonly draw: Draw;
}

/**
 * Imports an object of the state under a second address, then removes one of both addresses from the program: the object
 * remains (I19). Users of Terraform remove that address from the state if the plan says so.
 */
export async function removeSecondAddress({ begin, stack, state, truth, report, draw }: Calm): Promise<void> {
  const items = stack.filter((item) => isImportable(item, state, truth));
  // The operator may have chosen other names than those of the schedule.
  if (items.length === 0 || plan(begin(stack)).length > 0) return;
  const first = draw.pick(items);
  const second = { ...first, address: `${first.address}-again` };
  const kept = state.kept.get(first.address);
  if (kept?.state.id === undefined) return;
  const { id } = kept.state;
  const known = importId(resource(first.resource), id, reveal(kept.state.values) as Values, undefined);
  report.trace(`--- ${second.address} is a second address of ${id}`);
  if ((await importObject(begin([...stack, second]), second, known)).length > 0) return;
  const withSecond = [...stack.filter((item) => item !== first), second];
  const isMoved =
    draw.chance(0.5) &&
    !stack.some((item) => needsOf(item).includes(first.address)) &&
    plan(begin(withSecond)).every(({ address, action }) => address !== second.address || action === "update");
  const removed = isMoved ? first : second;
  await apply(begin(isMoved ? withSecond : stack));
  if (!namesKept(kept).some(truth.exists))
    report.violation("I19", `the removal of ${removed.address} deleted ${id}, which another address has`);
  state.kept.delete(removed.address);
}

/** Returns true for an object that can be imported, and that a request deletes. */
function isImportable({ address, resource: name }: Item, { kept }: State, truth: GroundTruth): boolean {
  const definition = resource(name);
  const one = kept.get(address);
  return (
    one?.state.id !== undefined &&
    namesKept(one).some(truth.exists) &&
    kinds[name]?.many === undefined &&
    definition.stateOnly !== true &&
    typeof definition.verbs.delete === "function" &&
    !hasShownOnce(definition)
  );
}
