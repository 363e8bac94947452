import type { AppliedObject, AppliedPlan } from "./report.ts";

/** Next commands after an apply that is not complete, by its engine. */

/** Returns sentences on what to do next; none if everything is done. */
export function nextSteps(
  plan: AppliedPlan,
  objects: readonly AppliedObject[],
  errors: readonly string[],
): string[] {
  const isComplete =
    plan.end === "succeeded" &&
    plan.problems.length === 0 &&
    objects.every(({ outcome }) => outcome === "done");
  if (isComplete) return [];
  const steps =
    plan.engine === "pulumi" ? pulumiSteps(plan, objects, errors) : terraformSteps(plan, objects, errors);
  const hasLost = objects.some(
    ({ kind, outcome, planned, exists, errors: texts }) =>
      (planned === "create" || planned === "replace") &&
      (outcome === "failed" || outcome === "unknown") &&
      exists !== true &&
      // The provider says so if it knows that the request had no effect.
      !texts.some((text) => text.includes("Nothing was created.")) &&
      isOwnKind(kind),
  );
  return [
    ...steps,
    ...(hasLost
      ? [
          `An object whose create got no response may exist although the state does not have it: the next run finds it by its name, and names the command that imports it, or adopts it with ${plan.engine === "pulumi" ? "adoptExisting" : "adopt_existing"}.`,
        ]
      : []),
  ];
}

function terraformSteps(
  { engine, end }: AppliedPlan,
  objects: readonly AppliedObject[],
  errors: readonly string[],
): string[] {
  const command = engine === "opentofu" ? "tofu" : "terraform";
  const has = (pattern: RegExp): boolean => errors.some((text) => pattern.test(text));
  if (has(/acquiring the state lock/i))
    return [
      `The state is locked: this apply changed nothing. Wait until the other run has ended, then plan again: ${command} plan. Use ${command} force-unlock ID only if no run holds the lock.`,
    ];
  const tainted = objects.filter(({ isTainted }) => isTainted).length;
  const deposed = objects.reduce((sum, { deposed: count = 0 }) => sum + count, 0);
  return [
    ...(has(/errored\.tfstate/)
      ? [
          `The state after the apply is in errored.tfstate of the folder of the apply, and not in the backend. Before anything else: ${command} state push errored.tfstate.`,
        ]
      : []),
    ...(has(/plan is stale/i) ? ["The plan is older than the state: it cannot be applied."] : []),
    ...(end === "unknown"
      ? [`If the state is locked since the apply, and no run holds the lock: ${command} force-unlock ID.`]
      : []),
    `Plan again, and review the new plan before you apply it: ${command} plan. It continues with what was not done.`,
    ...(tainted > 0
      ? [
          `The next plan replaces ${tainted === 1 ? "the tainted object" : `the ${tainted} tainted objects`}; ${command} untaint ADDRESS keeps an object.`,
        ]
      : []),
    ...(deposed > 0
      ? ["The next apply deletes the old objects of the replacements that are not complete."]
      : []),
  ];
}

function pulumiSteps(
  { end }: AppliedPlan,
  objects: readonly AppliedObject[],
  errors: readonly string[],
): string[] {
  if (errors.some((text) => /stack is currently locked|conflict: Another update/i.test(text)))
    return [
      "The stack is locked: this update changed nothing. Wait until the other update has ended, then run pulumi preview. Use pulumi cancel only if no update runs.",
    ];
  const pending = objects.filter((object) => object.pending !== undefined);
  return [
    ...(end === "unknown"
      ? ["If the stack is locked since the apply, and no update runs: pulumi cancel."]
      : []),
    ...(pending.length === 0
      ? []
      : [
          `Operations are pending. First run pulumi refresh, which asks about each object whose create is pending: enter the id to import it, or clear it if the cloud does not have it. pulumi up --refresh does the same for the other operations.`,
        ]),
    "Run pulumi preview, and review it before you run pulumi up. It continues with what was not done.",
  ];
}

/** Returns true for a kind of this package; types of other providers have separators that its kinds do not have. */
export const isOwnKind = (kind: string): boolean => !/[_:.]/.test(kind);
