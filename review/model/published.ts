import { equal, isRecord, isSecret, type Path, type Value } from "../../provider/core/value.ts";
import { type Change, isEffective } from "./change.ts";
import type { Plan } from "./plan.ts";
import { redactionOf } from "./redaction.ts";

/** Values that are not marked as sensitive and contain a sensitive one, as behind `nonsensitive()`. */

export interface Published {
  readonly plan: string;
  /** Position of the object among the changes of the plan, or name of the output. */
  readonly at: { readonly change: number } | { readonly output: string };
  /** Path of the value, redacted. */
  readonly path: Path;
}

/** Returns the values that a change sets, or an output shows, and that the redaction changes. */
export function publishedIn(plans: readonly Plan[]): Published[] {
  const shown = redactionOf(plans).plans;
  return plans.flatMap(({ name: plan, changes, outputs }, index) => {
    const hidden = shown[index];
    const ofObjects = changes.flatMap((change, position) =>
      [...inObject(change, hidden?.changes[position])].map(
        (path): Published => ({ plan, at: { change: position }, path }),
      ),
    );
    const ofOutputs = outputs.flatMap(({ name, before, after, looksSecret }, position): Published[] => {
      const other = hidden?.outputs[position];
      const isCopy = shown !== plans && !differing(after, other?.after ?? null, before, []).next().done;
      return looksSecret || isCopy ? [{ plan, at: { output: other?.name ?? name }, path: [] }] : [];
    });
    return [...ofObjects, ...ofOutputs];
  });
}

function* inObject(change: Change, shown: Change | undefined): Generator<Path> {
  const { resource, before, after } = change;
  if (shown === undefined || shown === change || after === undefined || !isEffective(change)) return;
  for (const path of differing(after, shown.after ?? null, before ?? null, [])) {
    const [name] = path;
    const field = resource?.fields[String(name)];
    // An id or a region is no secret, and ids of one account and region have equal parts.
    const isId =
      name === "id" ||
      name === "region" ||
      (field?.kind === "field" && field.options.references !== undefined);
    if (!isId && field?.kind !== "computed") yield path;
  }
}

/** Returns the paths of new or changed texts in a value that its redacted form does not have. */
function* differing(value: Value, shown: Value, before: Value, path: Path): Generator<Path> {
  if (isSecret(value) || value === shown || equal(value, before)) return;
  if (Array.isArray(value) && Array.isArray(shown)) {
    const old = Array.isArray(before) ? before : [];
    for (const [index, item] of value.entries())
      yield* differing(item, shown[index] ?? null, old[index] ?? null, path.concat(index));
  } else if (isRecord(value) && isRecord(shown)) {
    const old = isRecord(before) ? before : {};
    // The redaction may change names, but not their order.
    const names = Object.keys(shown);
    for (const [index, [name, part]] of Object.entries(value).entries()) {
      const shownName = names[index] ?? name;
      yield* differing(part, shown[shownName] ?? null, old[name] ?? null, path.concat(shownName));
    }
  } else if (typeof value === "string" || typeof value === "number") yield path;
}
