import { emptyRecord, isRecord, type Values } from "../../core/value.ts";
import type { Fields } from "../../definition/resource.ts";
import { isChosen } from "../plan.ts";
import { remember } from "./current.ts";

/**
 * What is remembered of an object that was just made or changed. Its plan had nothing where nothing was asked for, and
 * an engine takes no object that has something there: what the cloud shows all the same is the next look's to tell.
 */
export const asPlanned = (fields: Fields, seen: Values, inputs: Values): Values =>
  kept(fields, remember(fields, seen, inputs), inputs);

function kept(fields: Fields, values: Values, inputs: Values): Values {
  const planned = emptyRecord();
  for (const [name, field] of Object.entries(fields)) {
    const value = values[name] ?? null;
    const asked = inputs[name] ?? null;
    if (field.kind === "group")
      planned[name] = isRecord(value) && isRecord(asked) ? kept(field.fields, value, asked) : null;
    else planned[name] = asked === null && !isChosen(field) ? null : value;
  }
  return planned;
}

/** What was asked for, with what the cloud has set beside it before. */
export function withKnown(fields: Fields, inputs: Values, known: Values): Values {
  const values = { ...inputs };
  for (const [name, field] of Object.entries(fields)) {
    const asked = inputs[name] ?? null;
    const own = known[name] ?? null;
    if (field.kind === "computed") values[name] = own;
    else if (field.kind === "group" && isRecord(asked) && isRecord(own))
      values[name] = withKnown(field.fields, asked, own);
  }
  return values;
}
