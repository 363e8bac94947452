import type { Written } from "./kind.ts";

/** Object of a stack, as its program has it. */
export interface Item {
  readonly address: string;
  readonly resource: string;
  readonly inputs: Written;
}

/** Returns the addresses that an item refers to. In a stack every object comes after those that it needs. */
export function needsOf({ inputs }: Item): string[] {
  const visit = (value: unknown): string[] => {
    if (typeof value !== "object" || value === null) return [];
    if ("ref" in value) return [String(value.ref)];
    return Object.values(value).flatMap(visit);
  };
  return visit(inputs);
}
