import { test } from "@jest/globals";
import { actions, ephemerals, lookups } from "../../functions/index.ts";
import type { Value, Values } from "../../provider/core/value.ts";
import { inWordsOf } from "../../provider/core/wording.ts";
import { type Checkable, check } from "../../provider/definition/check.ts";
import { type Member, membersOf, type Shape } from "../../provider/definition/shape.ts";
import { resources } from "../../resources/index.ts";
import { expectGolden } from "../support/golden.ts";
import { idOf } from "../support/problem.ts";

/** Problems of single values of every field, at every depth. Rules between fields are tested with their resource. */

const ids = [idOf("vpc"), idOf("volume"), "krn:vpc:In-Bangalore-1:1:***:vpc:3"];
const addresses = ["10.0.0.0", "10.0.0.0/24", "10.0.0.0/33", "10.0.0.256/24"];

/** Value of a field that some field of its shape rejects, and the inputs that contain it. */
type Probe = readonly [path: readonly string[], value: Value, inputs: Value];

function probesOf(shape: Shape, path: readonly string[], wrap: (value: Value) => Value): Probe[] {
  const probes = (...values: Value[]) => values.map((value): Probe => [path, value, wrap(value)]);
  switch (shape.kind) {
    case "string":
      return probes("", "two words", 5, ...ids, ...addresses);
    case "number":
      return probes("5", -1, 0, 1.5);
    case "boolean":
      return probes("yes");
    case "object":
      return [...probes("a"), ...probesIn(shape.fields, path, wrap)];
    case "map":
      return [
        ...probes("a"),
        [[...path, "a"], 1, wrap({ a: 1 })],
        [[...path, "__proto__"], "x", wrap(JSON.parse('{"__proto__": "x"}'))],
      ];
    default:
      return [...probes("a", []), ...probesOf(shape.of, [...path, "0"], (value) => wrap([value]))];
  }
}

const probesIn = (
  members: { readonly [name: string]: Member },
  path: readonly string[] = [],
  wrap: (value: Value) => Value = (value) => value,
): Probe[] =>
  Object.entries(members).flatMap(([name, { shape, setBy }]) => {
    const inField = (value: Value) => wrap({ [name]: value });
    const place = [...path, name];
    if (setBy === "cloud") return [[place, "x", inField("x")]];
    return [[place, null, inField(null)], ...probesOf(shape, place, inField)];
  });

/** Returns the problems of each field with the values that have them. */
function problemsIn(definition: Checkable & { readonly name: string }) {
  const found = probesIn(membersOf(definition.fields)).flatMap(([path, value, inputs]) =>
    check(definition, inputs as Values)
      .problems.filter((problem) => problem.path.join(".") === path.join("."))
      .map(({ problem }) => ({
        field: `${definition.name}.${path.join(".")}`,
        problem: inWordsOf("terraform", problem),
        value: JSON.stringify(value),
      })),
  );
  return [...Map.groupBy(found, ({ field }) => field)].map(([field, ofField]) => {
    const problems = Map.groupBy(ofField, ({ problem }) => problem);
    const lines = [...problems].map(([text, rows]) => `${text}: ${rows.map(({ value }) => value).join(" ")}`);
    return { field, text: lines.join("\n") };
  });
}

test("every field reports its invalid values, with the reason", () => {
  const found = [...resources, ...lookups, ...actions, ...ephemerals].flatMap(problemsIn);
  const groups = [...Map.groupBy(found, ({ text }) => text)];
  const texts = groups.map(([text, rows]) => `${text}\n  ${rows.map(({ field }) => field).join(" ")}\n`);
  expectGolden("input-problem.txt", texts.join("\n"));
});
