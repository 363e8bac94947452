import { expect, test } from "@jest/globals";
import fc from "fast-check";
import {
  equal,
  hasUnknown,
  isRecord,
  mapValues,
  UNKNOWN,
  type Value,
  type Values,
} from "../../../provider/core/value.ts";
import type { Field, Fields } from "../../../provider/definition/field.ts";
import type { Resource } from "../../../provider/definition/resource.ts";
import type { ObjectShape, Shape } from "../../../provider/definition/shape.ts";
import { engine } from "../../../provider/engine/engine.ts";
import { planInconsistencies, resultInconsistencies } from "../../../provider/terraform/codec/consistency.ts";
import { resourceShape } from "../../../provider/terraform/codec/schema.ts";
import { resources } from "../../../resources/index.ts";
import { openCloud } from "../../support/cloud.ts";
import { openProvider } from "../../support/engine/provider.ts";

const text: Shape = { kind: "string" };
const object = (fields: { [name: string]: Shape | "computed" }): ObjectShape => ({
  kind: "object",
  fields: Object.fromEntries(
    Object.entries(fields).map(([name, shape]) => [
      name,
      {
        shape: shape === "computed" ? text : shape,
        about: "",
        setBy: shape === "computed" ? "cloud" : "user",
        required: false,
        secret: false,
        writeOnly: false,
      } as const,
    ]),
  ),
});

test("a planned value equals the configured or the prior value", () => {
  const shape = object({ a: text });
  expect(
    planInconsistencies({ config: { a: "new" }, prior: { a: "old" }, planned: { a: "new" } }, shape),
  ).toEqual([]);
  expect(
    planInconsistencies({ config: { a: "NEW" }, prior: { a: "new" }, planned: { a: "new" } }, shape),
  ).toEqual([]);
  expect(
    planInconsistencies({ config: { a: "new" }, prior: { a: "old" }, planned: { a: "third" } }, shape),
  ).toEqual([{ path: ["a"], problem: "was planned with a different value than configured" }]);
  expect(
    planInconsistencies({ config: { a: "new" }, prior: undefined, planned: { a: UNKNOWN } }, shape),
  ).toHaveLength(1);
});

test("a plan sets no unconfigured attribute unless it is computed", () => {
  const shape = object({ a: text, b: "computed" });
  expect(
    planInconsistencies({ config: {}, prior: undefined, planned: { a: null, b: UNKNOWN } }, shape),
  ).toEqual([]);
  expect(planInconsistencies({ config: {}, prior: undefined, planned: { a: "x", b: "y" } }, shape)).toEqual([
    { path: ["a"], problem: "was planned although it is not configured" },
  ]);
});

test("a configured object is planned attribute by attribute", () => {
  const shape = object({ inner: object({ a: text, b: "computed" }) });
  expect(
    planInconsistencies(
      { config: { inner: { a: "x" } }, prior: undefined, planned: { inner: { a: "x", b: UNKNOWN } } },
      shape,
    ),
  ).toEqual([]);
  expect(
    planInconsistencies({ config: { inner: { a: "x" } }, prior: undefined, planned: { inner: null } }, shape),
  ).toHaveLength(1);
  expect(
    planInconsistencies(
      { config: { inner: { a: "x" } }, prior: undefined, planned: { inner: { a: "y" } } },
      shape,
    ),
  ).toEqual([{ path: ["inner", "a"], problem: "was planned with a different value than configured" }]);
});

test("a result keeps planned values and has no unknown ones", () => {
  const shape = object({ a: text, list: { kind: "list", of: text }, map: { kind: "map", of: text } });
  const planned: Values = { a: UNKNOWN, list: ["x", UNKNOWN], map: { k: "v" } };
  expect(resultInconsistencies(planned, { a: "known", list: ["x", "y"], map: { k: "v" } }, shape)).toEqual(
    [],
  );
  expect(resultInconsistencies(planned, { a: null, list: ["x", "y", "z"], map: { l: "v" } }, shape)).toEqual([
    { path: ["list"], problem: "has a different length than planned" },
    { path: ["map"], problem: "has different keys than planned" },
  ]);
  expect(
    resultInconsistencies(planned, { a: UNKNOWN, list: ["other", "y"], map: { k: "w" } }, shape),
  ).toEqual([
    { path: ["a"], problem: "is still unknown" },
    { path: ["list", 0], problem: "differs from the planned value" },
    { path: ["map", "k"], problem: "differs from the planned value" },
  ]);
});

test("a set may be returned in any order, and with unknown elements only smaller", () => {
  const shape: Shape = { kind: "set", of: text };
  expect(resultInconsistencies(["a", "b"], ["b", "a"], shape)).toEqual([]);
  expect(resultInconsistencies(["a", "b"], ["a"], shape)).toHaveLength(1);
  expect(resultInconsistencies(["a", UNKNOWN], ["a"], shape)).toEqual([]);
  expect(resultInconsistencies(["a", UNKNOWN], ["a", "b", "c"], shape)).toHaveLength(1);
});

const candidates: Value[] = [
  "word",
  "other word",
  "10.0.0.0/24",
  "10.0.0.9/24",
  "10.0.0.1",
  "image",
  "ingress",
  "IPv4",
  "ipv4",
  "ssh-rsa AAAAB3NzaC1yc2EAAAAA",
  "krn:vpc:r:a:p:vpc:1",
  "krn:vpc:r:a:p:network:1",
  1,
  4,
  6,
  20,
  true,
  false,
  {},
  { label: "value" },
];

/** Returns any value that the field accepts, unknown included, and null if the field is optional. */
function written(field: Field): fc.Arbitrary<Value> {
  if (field.kind === "computed") return fc.constant(null);
  const given =
    field.kind === "group"
      ? configuration(field.fields)
      : fc.constantFrom(
          ...candidates.filter((x) => engine.check(single(field), { x }).problems.length === 0),
          UNKNOWN,
        );
  const required = engine.check(single(field), {}).problems.length > 0;
  return required ? given : fc.oneof(fc.constant(null), given);
}

const single = (field: Field) => ({ ...resources[0], fields: { x: field }, rules: [] }) as never;
const configuration = (fields: Fields): fc.Arbitrary<Values> =>
  fc.record(Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, written(field)])));

/** Returns configurations that also satisfy the rules over several fields. */
const validConfiguration = (resource: Resource): fc.Arbitrary<Values> =>
  configuration(resource.fields).filter((values) => engine.check(resource, values).problems.length === 0);

const knownValues = { string: "word", number: 4, boolean: true, list: [], set: [], map: {}, object: null };

/** Returns the value after an apply: a known value replaces each unknown one. */
const applied = (value: Value, shape: Shape): Value =>
  value === UNKNOWN
    ? knownValues[shape.kind]
    : shape.kind === "object" && isRecord(value)
      ? mapValues(value, (item, name) => applied(item, shape.fields[name]?.shape ?? shape))
      : value;

test.each(resources.map((resource) => [resource.name, resource] as const))(
  "for any configuration, a plan of a %s follows the engine's rules and is the same twice",
  async (kind, resource) => {
    const provider = openProvider(openCloud());
    const configure = () =>
      provider.configure({ accountId: "000000000000", accessKey: "key", secretKey: "secret" });
    await configure();
    const hasFile = (values: Values) =>
      Object.entries(resource.fields).some(
        ([name, field]) =>
          field.kind === "field" && field.options.file === true && (values[name] ?? null) !== null,
      );
    const known = (values: Values) => applied(values, resourceShape(resource)) as Values;
    await fc.assert(
      fc.asyncProperty(validConfiguration(resource), validConfiguration(resource), async (first, second) => {
        await configure();
        const made = await provider.plan(kind, { ...first, timeouts: null });
        expect(
          made.diagnostics.filter(
            (line) => !/^warning: (?:Creating .+ is billed|The file for .+ is not ready): /.test(line),
          ),
        ).toEqual([]);
        const state = { values: known(made.values ?? {}), private: undefined, diagnostics: [] };
        const config = { ...second, timeouts: null };
        // Each plan is that of another command.
        const plans = [];
        while (plans.length < 2) {
          await configure();
          plans.push(await provider.plan(kind, config, state));
        }
        const [one, two] = plans.map(({ values }) => values);
        expect(equal(one, two)).toBe(true);
        for (const { diagnostics } of plans)
          expect(
            diagnostics.filter(
              (line) =>
                line.startsWith("error") && !/shrink|deletion protection|before it reads the file/.test(line),
            ),
          ).toEqual([]);
        // A file is read again: the state of this test has no content of one.
        if (hasUnknown(first) || hasFile(first)) return;
        await configure();
        const again = await provider.plan(kind, { ...first, timeouts: null }, state);
        expect(equal(again.values, state.values)).toBe(true);
      }),
      { seed: 3, numRuns: 150 },
    );
  },
);
