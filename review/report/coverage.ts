import { hasUnknown } from "../../provider/core/value.ts";
import { attribute, inWordsOf } from "../../provider/core/wording.ts";
import { isSetByApi } from "../../provider/definition/field.ts";
import { type Change, isEffective, kindOfChange, wordsOf } from "../model/change.ts";
import { type Difference, differencesOf } from "../model/difference.ts";
import type { Plan } from "../model/plan.ts";
import { counted, isUnreadable } from "../rule/fact.ts";
import { visible } from "./value.ts";

/** Effects of an apply that the digest of a plan cannot cover, because they are decided during the apply. */

/** Returns what the digest of these plans does not cover, each as a clause; equal in any order of the plans. */
export const uncoveredIn = (plans: readonly Plan[]): string[] =>
  plans
    .flatMap((plan) => [
      ...unknownValues(plan),
      ...writeOnly(plan),
      ...commands(plan),
      ...reads(plan),
      ...settings(plan),
    ])
    .map(visible)
    .toSorted();

/** Returns the attributes with values that only the apply decides, unless objects of the plan determine them. */
function unknownValues({ name, changes }: Plan): string[] {
  const found = changes.filter(isEffective).flatMap((change) =>
    differencesOf(change)
      .filter(({ after }) => hasUnknown(after))
      .filter((difference) => isDecidedLater(change, difference, changes))
      .map(({ path }) => ({ change, key: `${kindOfChange(change)} ${nameOf(change, String(path[0]))}` })),
  );
  return [...Map.groupBy(found, ({ key }) => key)].map(
    ([key, all]) =>
      `${name}: ${key} of ${counted(new Set(all.map(({ change }) => change)).size, "object")}, known only after the apply`,
  );
}

/** Returns the configured attributes that no plan holds. */
function writeOnly({ name, changes }: Plan): string[] {
  const found = changes.flatMap((change) =>
    (change.writeOnly ?? []).map((attributeOf) => `${kindOfChange(change)} ${attributeOf}`),
  );
  return grouped(
    found,
    (text, count) => `${name}: ${text} of ${counted(count, "object")}, which no plan holds`,
  );
}

/** Returns true for an unknown value that the program or a file of the user decides, rather than the API or an object of the plan. */
function isDecidedLater(change: Change, { path, field }: Difference, changes: readonly Change[]): boolean {
  if (field?.kind === "computed") return false;
  if (field?.kind === "field" && field.options.meaning === "content digest") return true;
  const mayBeOfApi = field === undefined || (field.kind === "field" && isSetByApi(field));
  const isOfApi = mayBeOfApi && change.originsOf?.(String(path[0]))?.length === 0;
  return !isOfApi && isUnreadable(change, path, { changes });
}

const nameOf = ({ engine, resource }: Change, name: string): string =>
  resource === undefined ? name : inWordsOf(wordsOf(engine), attribute(name));

const commands = ({ name, invocations }: Plan): string[] =>
  grouped(
    invocations.filter(({ kind }) => kind !== "read").map(({ type }) => type),
    (type, count) => `${name}: the effects of ${count} × ${type}`,
  );

const reads = ({ name, invocations }: Plan): string[] =>
  grouped(
    invocations.filter(({ kind }) => kind === "read").map(({ type }) => type),
    (type, count) => `${name}: the results of ${count} × ${type}, read during the apply`,
  );

/** Returns the configurations that the input does not hold; a plan file holds the configuration itself. */
const settings = ({ name, providers, configuration }: Plan): string[] =>
  configuration !== undefined
    ? []
    : providers
        .filter(({ isPartial }) => isPartial)
        .map((provider) => `${name}: parts of the configuration of the provider ${provider.name}`);

const grouped = (texts: readonly string[], clause: (text: string, count: number) => string): string[] =>
  [...Map.groupBy(texts, (text) => text)].map(([text, all]) => clause(text, all.length));
