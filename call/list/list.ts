import type { PossibleEffect } from "../../operation/destruction/destruction.ts";
import { hyphenated, snakeCase, term } from "../../provider/core/name.ts";

/** Output of `kcloud call --list`. */

/** Row of the list. */
export interface ListedOperation {
  readonly name: string;
  /** Name of the area in camelCase. */
  readonly area: string;
  readonly effect: PossibleEffect;
  readonly isBilled: boolean;
  /** One sentence. */
  readonly about: string;
}

/** Returns the effect as a word, with a note for an operation that is billed each time. */
export const effectText = ({ effect, isBilled }: Pick<ListedOperation, "effect" | "isBilled">): string =>
  isBilled ? `${effect}, billed` : effect;

/** Converts `securityGroup` to `security group`. */
export const areaText = (area: string): string => term(hyphenated(snakeCase(area)));

/** Returns the rows whose name, area, effect or sentence contains a text, in any case. */
export function matching(rows: readonly ListedOperation[], text: string): readonly ListedOperation[] {
  const wanted = text.toLowerCase();
  return rows.filter((row) =>
    [row.name, row.area, areaText(row.area), effectText(row), row.about].some((part) =>
      part.toLowerCase().includes(wanted),
    ),
  );
}

/** Returns the list: each area, and its operations with their effect and their sentence. */
export function listText(rows: readonly ListedOperation[]): string {
  const [names, effects] = [rows.map(({ name }) => name), rows.map(effectText)].map(
    (texts) => Math.max(...texts.map(({ length }) => length)) + 2,
  );
  return [...Map.groupBy(rows, ({ area }) => area)]
    .map(([area, some]) =>
      [
        areaText(area),
        ...some.map(
          (row) => `  ${row.name.padEnd(names ?? 0)}${effectText(row).padEnd(effects ?? 0)}${row.about}`,
        ),
        "",
      ].join("\n"),
    )
    .join("\n");
}
