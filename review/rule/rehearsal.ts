import { memoize } from "../../provider/core/memoize.ts";
import { type Change, isEffective } from "../model/change.ts";
import { outcomeOf } from "../model/outcome.ts";
import type { Rehearsal, RehearsedObject } from "../model/rehearsal.ts";
import { called, joined, type Sentence, say, word } from "../model/sentence.ts";
import { counted } from "./fact.ts";
import type { Hit, Rule, RuleContext } from "./rule.ts";

/**
 * Rules about the outcome of rehearsals. A rehearsal only adds findings: no other rule reads one, so that a forged one hides
 * nothing.
 */

/** Rehearsal of a plan, with access to the objects of both. */
interface View {
  readonly plan: string;
  readonly rehearsal: Rehearsal;
  /** Effective changes of the plan. */
  readonly changes: readonly Change[];
  /** Returns the change of the plan at an address, if there is one. */
  readonly changeAt: (address: string) => Change | undefined;
  /** Returns a hit about an address, which needs no object in the plan. */
  readonly about: (address: string) => Pick<Hit, "change" | "plan" | "address" | "confidence">;
  readonly nameOf: (address: string) => Sentence;
  /** Returns a sentence on the assumptions that decided the outcome at an address; empty if there are none. */
  readonly assumptionsAt: (address: string) => Sentence;
}

/** Returns the rehearsals of a review; computed once. */
const viewsIn = memoize(({ rehearsals = [], plans }: RuleContext): readonly View[] =>
  rehearsals.flatMap(({ plan: name, rehearsal }): View[] => {
    const changes = plans.find((plan) => plan.name === name)?.changes ?? [];
    const known = new Map<string, Change>();
    for (const change of changes)
      if (isEffective(change) || !known.has(change.address)) known.set(change.address, change);
    const assumed = Map.groupBy(
      rehearsal.objects.filter(({ assumptions }) => assumptions.length > 0),
      ({ address }) => address,
    );
    const changeAt = (address: string) => known.get(address);
    return [
      {
        ...{ plan: name, rehearsal, changeAt },
        changes: changes.filter(isEffective),
        about: (address) => {
          const change = changeAt(address);
          return {
            ...(change === undefined ? { plan: name, address } : { change }),
            ...(assumed.has(address) ? { confidence: "needs a live check" as const } : {}),
          };
        },
        nameOf: (address) => {
          const change = changeAt(address);
          return change === undefined ? say`${address}` : called(change);
        },
        assumptionsAt: (address) => {
          const assumptions = (assumed.get(address) ?? []).flatMap((object) => object.assumptions);
          return assumptions.length === 0
            ? say``
            : say` This depends on assumptions about the cloud: ${joined(
                assumptions.map((text) => say`${text}`),
                ", ",
              )}.`;
        },
      },
    ];
  }),
);

const likely = { confidence: "likely" } as const;

const fails: Rule = {
  ...likely,
  id: "RUN-01",
  title: "The apply fails in the rehearsal",
  severity: "high",
  about:
    "A step of the rehearsed apply failed, or the apply did not end. A real apply that fails leaves a part of the change. The severity is critical if an object was deleted before and its replacement was not created.",
  remedy: "Correct the cause that the error names, plan again, and rehearse the new plan.",
  *check(context) {
    for (const view of viewsIn(context)) {
      const { plan, rehearsal, about, nameOf, assumptionsAt } = view;
      if (outcomeOf(rehearsal) !== "fails") continue;
      const { steps, objects, errors } = rehearsal;
      let count = 0;
      const failed = new Set([
        ...steps.filter(({ result }) => result === "failed").map(({ address }) => address),
        ...objects.filter((object) => object.class === "failed").map(({ address }) => address),
      ]);
      const lost = lostIn(view);
      const hitAt = (address: string, reason: Sentence): Hit => {
        const isLost = lost.delete(address);
        count += 1;
        return {
          ...about(address),
          ...(isLost ? { severity: "critical" as const } : {}),
          text: say`The rehearsed apply fails at ${nameOf(address)}: ${reason}${isLost ? lossText : say``}${assumptionsAt(address)}`,
        };
      };
      const others = errors.filter(({ address }) => address === undefined);
      for (const { address, text } of errors)
        if (address !== undefined) {
          failed.delete(address);
          yield hitAt(address, say`${ended(text)}`);
        }
      // Terraform names no address in the error of a delete: a single one belongs to the only object without an error.
      const [error] = others;
      const isPair = failed.size === 1 && others.length === 1 && error !== undefined;
      for (const address of failed)
        yield hitAt(
          address,
          isPair
            ? say`${ended(error.text)}`
            : word(
                others.length === 0
                  ? "there is no error text."
                  : "its error is one of those without an address.",
              ),
        );
      for (const { text } of isPair ? [] : others) {
        count += 1;
        yield { plan, text: say`The rehearsed apply fails: ${ended(text)}` };
      }
      for (const address of lost) yield hitAt(address, say`its replacement is not created.`);
      if (count === 0)
        yield {
          plan,
          text: say`The rehearsed apply of ${plan} stops before the end, and there is no error text.`,
        };
    }
  },
};

/** Returns the text of an error as a sentence. */
const ended = (text: string): string => text.trim().replace(/(?<![.!?])$/, ".");

const lossText = say` The old object is deleted by then.`;

/** Returns the addresses of the objects that were deleted for a replacement that was not created. */
function lostIn({ rehearsal: { steps, objects }, changeAt }: View): Set<string> {
  const done = steps.filter(({ result }) => result === "done");
  const created = new Set(done.filter(({ action }) => action !== "delete").map(({ address }) => address));
  const replaced = new Set(
    objects.filter((object) => object.class !== "destroyed").map(({ address }) => address),
  );
  return new Set(
    done
      .filter(({ action, address }) => action === "delete" && !created.has(address))
      .map(({ address }) => address)
      .filter((address) => changeAt(address)?.action === "replace" || replaced.has(address)),
  );
}

/** Maximum number of objects that a text names. */
const mostNames = 5;

const notReached: Rule = {
  ...likely,
  id: "RUN-02",
  title: "Steps are not reached in the rehearsal",
  severity: "medium",
  about: "The rehearsed apply ended before it changed these objects.",
  remedy: "Correct the failure. Until then, a real apply leaves these objects as they are.",
  *check(context) {
    for (const { plan, rehearsal, nameOf } of viewsIn(context)) {
      const addresses = addressesOf(rehearsal, (object) => object.class === "not reached");
      if (addresses.length === 0) continue;
      const names = joined(addresses.slice(0, mostNames).map(nameOf), ", ");
      const rest = addresses.length - mostNames;
      yield {
        plan,
        text: say`The rehearsed apply of ${plan} ends before ${word(counted(addresses.length, "object"))}: ${names}${word(rest > 0 ? ` and ${rest} more` : "")}.`,
      };
    }
  },
};

const addressesOf = ({ objects }: Rehearsal, isWanted: (object: RehearsedObject) => boolean): string[] => [
  ...new Set(objects.filter(isWanted).map(({ address }) => address)),
];

const interrupted: Rule = {
  ...likely,
  id: "RUN-03",
  title: "A machine is interrupted in the rehearsal",
  severity: "medium",
  about:
    "A machine that ran before and after the rehearsed apply was stopped or restarted in between. The severity is high if the plan does not change the machine.",
  remedy: "Plan a maintenance window, or take the machine out of service first.",
  *check(context) {
    for (const { rehearsal, about, nameOf, changeAt, assumptionsAt } of viewsIn(context))
      for (const address of addressesOf(rehearsal, ({ isInterrupted }) => isInterrupted)) {
        const change = changeAt(address);
        const isPlanned = change !== undefined && isEffective(change);
        yield {
          ...about(address),
          ...(isPlanned ? {} : { severity: "high" as const }),
          text: say`${nameOf(address)} is stopped or restarted during the rehearsed apply${word(isPlanned ? "" : ", although the plan does not change it")}.${assumptionsAt(address)}`,
        };
      }
  },
};

const absent: Rule = {
  ...likely,
  id: "RUN-04",
  title: "A connection is absent during the rehearsal",
  severity: "medium",
  about:
    "An address or a volume of a machine, or a rule of a security group, existed before and after the rehearsed apply, but not all the time.",
  remedy:
    "Plan a maintenance window, or let the engine create the new object first, if both can exist at once.",
  *check(context) {
    for (const { plan, rehearsal } of viewsIn(context))
      for (const text of rehearsal.absent)
        yield { plan, text: say`During a part of the rehearsed apply, this is absent: ${text}.` };
  },
};

const notConverging: Rule = {
  ...likely,
  id: "RUN-05",
  title: "A second plan is not empty",
  severity: "medium",
  about:
    "A plan after the rehearsed apply would change an object again, or there was no such plan. Every further apply then repeats the change.",
  remedy:
    "Compare the configuration with the values that the API returns, or ignore changes of the attribute.",
  *check(context) {
    for (const { plan, rehearsal, about, nameOf, assumptionsAt } of viewsIn(context)) {
      const { secondPlan } = rehearsal;
      for (const address of new Set(secondPlan))
        yield {
          ...about(address),
          text: say`A plan after the rehearsed apply changes ${nameOf(address)} again.${assumptionsAt(address)}`,
        };
      if (secondPlan === undefined && outcomeOf(rehearsal) !== "fails")
        yield { plan, text: say`The rehearsal of ${plan} has no plan after the apply.` };
    }
  },
};

const otherPlan: Rule = {
  id: "RUN-06",
  title: "The rehearsed plan is not the reviewed one",
  severity: "high",
  confidence: "proven",
  about:
    "The engine planned other changes in the rehearsal than those that are reviewed. The outcome of the rehearsal is then not that of the plan.",
  remedy: "Make the plan and the rehearsal from the same folder and the same state.",
  *check(context) {
    for (const view of viewsIn(context)) {
      const { plan, rehearsal, changes, about, nameOf } = view;
      const { differences } = rehearsal;
      for (const text of differences) {
        const address = addressIn(text, view);
        yield {
          ...(address === undefined ? { plan } : about(address)),
          confidence: "proven",
          text: say`The rehearsed plan differs from the reviewed one. ${text}.`,
        };
      }
      for (const { address, action, text } of contradictionsIn(rehearsal, changes))
        if (!differences.some((difference) => difference.startsWith(`${address}: `)))
          yield {
            ...about(address),
            confidence: "proven",
            text: say`The plan has ${word(action)} for ${nameOf(address)}; in the rehearsal, ${word(text)}.`,
          };
    }
  },
};

/** Returns the address of the plan with which a clause begins, as in `kcloud_volume.data: another planned size_gb`. */
function addressIn(text: string, { changeAt }: View): string | undefined {
  for (let end = text.indexOf(": "); end >= 0; end = text.indexOf(": ", end + 1))
    if (changeAt(text.slice(0, end)) !== undefined) return text.slice(0, end);
  return undefined;
}

/** Classes of an object in the rehearsal of an action, without those of a failure. */
const classes: { readonly [A in Change["action"]]?: RehearsedObject["class"] } = {
  create: "created",
  update: "changed",
  replace: "replaced",
  delete: "destroyed",
  forget: "untouched",
};

interface Contradiction {
  readonly address: string;
  readonly action: string;
  readonly text: string;
}

/** Yields the objects for which plan and rehearsal have different effects, in both directions. */
function* contradictionsIn(rehearsal: Rehearsal, changes: readonly Change[]): Generator<Contradiction> {
  const { objects, steps } = rehearsal;
  const fails = outcomeOf(rehearsal) === "fails";
  const rehearsed = Map.groupBy(objects, ({ address }) => address);
  const planned = new Set<string>();
  for (const { address, action } of changes) {
    planned.add(address);
    const expected = classes[action];
    const found = (rehearsed.get(address) ?? []).map((object) => object.class);
    // A replacement that fails may have destroyed the old object.
    const possible = [
      expected,
      "failed",
      "not reached",
      ...(fails && action === "replace" ? ["destroyed"] : []),
    ];
    if (expected === undefined || found.some((one) => possible.includes(one))) continue;
    const [first] = found;
    yield {
      address,
      action: `the action ${action}`,
      text: first === undefined ? "there is no such object" : `it is ${first}`,
    };
  }
  for (const { address, class: effect } of objects)
    if (effect !== "untouched" && !planned.has(address))
      yield { address, action: "no action", text: `it is ${effect}` };
  for (const { address, action } of steps)
    if (!planned.has(address) && !rehearsed.has(address) && action !== "read")
      yield { address, action: "no action", text: `a step has the action ${action}` };
}

const drill: Rule = {
  ...likely,
  id: "RUN-07",
  title: "A fault during the apply leaves a problem",
  severity: "high",
  about:
    "The rehearsal repeated the apply with one request that failed, and the next run did not repair the result: an object is lost, or the run fails again.",
  remedy: "Split the change into steps that can be repeated, or prepare the repair that the text names.",
  *check(context) {
    for (const { plan, rehearsal } of viewsIn(context))
      for (const { request, fault, problem } of rehearsal.drill?.runs ?? [])
        if (problem !== undefined)
          yield { plan, text: say`After a fault (${fault}) of the request ${request}: ${problem}.` };
  },
};

const unconfined: Rule = {
  id: "RUN-08",
  title: "The rehearsal was not confined",
  severity: "low",
  confidence: "proven",
  about:
    "Programs that the rehearsal ran, such as allowed commands, could connect to more than the emulator. The provider itself could not.",
  remedy: "Rehearse on a machine that can confine programs; --require-isolation refuses others.",
  *check(context) {
    for (const { plan, rehearsal } of viewsIn(context))
      if (rehearsal.unconfined !== undefined)
        yield { plan, text: say`The rehearsal of ${plan} was not confined: ${rehearsal.unconfined}.` };
  },
};

const missing: Rule = {
  id: "RUN-09",
  title: "A required rehearsal is missing",
  severity: "critical",
  confidence: "proven",
  about:
    "The profile has requireRehearsal, and a plan with changes has no rehearsal, one that did not reach the end, or one of another plan.",
  remedy: "Rehearse the plan with kcloud rehearse --plan, and pass the file with --rehearsal.",
  *check(context) {
    if (!context.settings.requireRehearsal) return;
    const views = Map.groupBy(viewsIn(context), ({ plan }) => plan);
    for (const { name, changes } of context.plans) {
      if (!changes.some(isEffective)) continue;
      const rehearsals = views.get(name) ?? [];
      const reason =
        rehearsals.length === 0
          ? "has no rehearsal"
          : rehearsals.some(({ rehearsal }) => outcomeOf(rehearsal) === "fails")
            ? "has a rehearsal that does not reach the end"
            : rehearsals.some(isOfOtherPlan)
              ? "has a rehearsal of another plan"
              : undefined;
      if (reason !== undefined)
        yield { plan: name, text: say`${name} ${word(reason)}; the policy requires one of the whole plan.` };
    }
  },
};

const isOfOtherPlan = ({ rehearsal, changes }: View): boolean =>
  rehearsal.differences.length > 0 || !contradictionsIn(rehearsal, changes).next().done;

export const rehearsalRules: readonly Rule[] = [
  fails,
  notReached,
  interrupted,
  absent,
  notConverging,
  otherPlan,
  drill,
  unconfined,
  missing,
];
