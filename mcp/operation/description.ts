import { destructionOf, possibleEffect } from "../../operation/destruction/destruction.ts";
import { restorable } from "../../operation/destruction/table.ts";
import { allOperations, type NamedOperation } from "../../operation/operations.ts";
import { parameterSchema } from "../../operation/schema.ts";
import { secretParameters } from "../../operation/secret-field.ts";
import { didYouMean, nearest } from "../../provider/core/string.ts";
import type { JsonObject } from "../text.ts";
import { type OfferSettings, offerOf } from "./offer.ts";

/** Descriptions of operations, for an agent that chooses one. They are those of the table, and need no request. */

export interface OperationFilter {
  readonly text: string | undefined;
  readonly area: string | undefined;
  readonly effect: string | undefined;
}

/** Matches the quoted names of parameters and operations in the texts of the table. */
export const quotedName = /`(\w+)`/g;

const names = new Map(allOperations().map(({ method, name }) => [method, name]));

/** Returns a text of the table, which has the names of the client, with the names of operations. */
export const spelled = (text: string): string =>
  text.replace(quotedName, (code, method) => names.get(method) ?? code);

/** Returns the error of a name that no operation has. */
export function unknownOperation(name: string): string {
  const cut = name.slice(0, 80);
  return `Unknown operation ${JSON.stringify(cut)}${didYouMean(nearest(cut, [...names.values()]))} (list_operations lists them)`;
}

/** Returns the operations that match a filter with their effects; without one, the names of all operations. */
export function operationList({ text, area, effect }: OperationFilter, settings: OfferSettings): JsonObject {
  if (text === undefined && area === undefined && effect === undefined) return overview(settings);
  const wanted = (text ?? "").toLowerCase();
  const rows = allOperations().flatMap((row) => {
    const offer = offerOf(row, settings);
    const listed = {
      ...{ operation: row.name, area: row.area, effect: possibleEffect(row) },
      ...(row.operation.endpoint.semantics === "metered" && { is_billed: true }),
      about: spelled(row.operation.about),
      ...("reason" in offer ? { not_offered: offer.reason } : { tools: [...offer.tools] }),
    };
    if (area !== undefined && area !== row.area) return [];
    if (effect !== undefined && !listed.effect.includes(effect)) return [];
    const isFound = [listed.operation, listed.area, listed.about].some((part) =>
      part.toLowerCase().includes(wanted),
    );
    return isFound ? [listed] : [];
  });
  return { count: rows.length, operations: rows };
}

/** Returns the names of all operations, by area and effect. */
function overview(settings: OfferSettings): JsonObject {
  const rows = allOperations();
  const areas = Map.groupBy(rows, ({ area }) => area);
  return {
    count: rows.length,
    areas: Object.fromEntries(
      [...areas].map(([area, some]) => {
        const offered = some.filter((row) => "tools" in offerOf(row, settings));
        const others = some.filter((row) => !offered.includes(row)).map(({ name }) => name);
        const groups = [...Map.groupBy(offered, possibleEffect)].map(([effect, each]) => [
          effect,
          each.map(({ name }) => name),
        ]);
        return [area, { ...Object.fromEntries(groups), ...(others.length > 0 && { not_offered: others }) }];
      }),
    ),
    next: "list_operations with an area, a text or an effect describes them, and has the reasons.",
  };
}

/** Returns the sentence about what is lost, in a sentence; empty if the one of the operation has it. */
export function lossText(name: string): string {
  const { about, when } = destructionOf(name) ?? {};
  const text = when?.about ?? about;
  return text === undefined ? "" : ` (${text.replace(/\.$/, "")})`;
}

/** Returns the declared loss of an operation. */
export function lossOf(name: string): { readonly loss?: object } {
  const destruction = destructionOf(name);
  if (destruction === undefined) return {};
  const { about, when, companions = [], volatile = [], object } = destruction;
  const loss = {
    ...(when === undefined ? {} : { with_some_parameters: when.about }),
    ...(about === undefined ? {} : { about }),
    ...(typeof object === "string" ? { not_readable: object } : {}),
    ...(companions.length > 0 && { may_go_with_it: companions.map((companion) => companion.about) }),
    ...(volatile.length > 0 && { not_compared: volatile }),
  };
  return Object.keys(loss).length > 0 ? { loss } : {};
}

/** Returns the description of an operation: parameters, effect, loss, and the tools that call it. */
export function description(row: NamedOperation, settings: OfferSettings): object {
  const { name, operation, area } = row;
  const { endpoint, about, section, listing } = operation;
  const schema = parameterSchema(operation);
  const secret = secretParameters(row);
  const properties = Object.fromEntries(
    Object.entries(schema.properties ?? {})
      .filter(([parameter]) => !secret.includes(parameter))
      .map(([parameter, { description: text = "", ...rest }]) => [
        parameter,
        { ...rest, ...(text !== "" && { description: spelled(text) }) },
      ]),
  );
  const offer = offerOf(row, settings);
  return {
    operation: name,
    area,
    about: spelled(about),
    effect: possibleEffect(row),
    ...("reason" in offer ? { not_offered: offer.reason } : { tools: offer.tools }),
    ...(endpoint.semantics === "metered" && { is_billed: true, billing: "Each call is billed." }),
    request: `${endpoint.method} ${endpoint.path}`,
    section: `docs/contract.md#${section}`,
    parameters: { ...schema, properties },
    ...(secret.length > 0 && { not_parameters: secret.map((parameter) => `${parameter}: a secret`) }),
    ...(listing !== undefined && { is_listing: true }),
    ...lossOf(name),
    ...(restorable[name] !== undefined && { not_lost: restorable[name] }),
  };
}
