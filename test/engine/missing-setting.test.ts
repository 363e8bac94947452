import { expect, test } from "@jest/globals";
import { ConfigError, InputError } from "../../provider/core/error.ts";
import type { Value, Values } from "../../provider/core/value.ts";
import { inWordsOf } from "../../provider/core/wording.ts";
import { engine } from "../../provider/engine/engine.ts";
import { isRef } from "../adapter/adapter.ts";
import { lifecycleCases } from "../adapter/lifecycle/lifecycle.ts";
import { resource } from "../support/cloud.ts";
import { openEveryKind } from "../support/every-kind.ts";
import { idOf } from "../support/problem.ts";

/** Tests settings that a create needs: the plan reports a missing one before an apply starts. */

const without = {
  region: { region: undefined },
  accountId: { accountId: undefined },
  user: { user: undefined },
  accessKey: { accessKey: undefined, secretKey: undefined },
} as const;

const cases = lifecycleCases.flatMap(({ resource: kind, inputs, dependencies = [] }) =>
  Object.entries(without).map(([setting, given]) => {
    const kinds = new Map(dependencies.map(({ name, resource }) => [name, resource]));
    const resolved = (value: unknown): Value => {
      if (Array.isArray(value)) return value.map(resolved);
      return isRef(value) ? idOf(kinds.get(value.ref) ?? "vpc") : (value as Value);
    };
    const written: Values = Object.fromEntries(
      Object.entries(inputs).map(([name, value]) => [name, resolved(value)]),
    );
    return { kind, setting, given, written };
  }),
);

test.each(cases)(
  "the plan of a $kind reports a missing $setting if and only if the create needs it",
  async ({ kind, setting, given, written }) => {
    const cloud = openEveryKind({}, given);
    const definition = resource(kind);
    const { problems, warnings } = engine.plan(definition, undefined, written, cloud.session);
    const isSaid =
      problems.some(({ path }) => path[0] === setting) ||
      warnings.some(({ detail }) => setting === "accessKey" && detail.includes("SERVICE_ACCESS_KEY"));
    const isMissing = (error: unknown) =>
      (error instanceof ConfigError || error instanceof InputError) &&
      error.problems.some(({ path }) => path[0] === setting);
    const fails = await cloud.run(cloud.create(kind, written)).then(
      () => false,
      (error) => isMissing(error) || isMissing(error.cause),
    );
    expect(isSaid).toBe(fails);
  },
);

test.each([
  ["In-Bangalore-1", undefined, []],
  ["In-Hyderabad-1", undefined, ["`vpcId` is an ID in In-Hyderabad-1, and `region` is In-Bangalore-1"]],
  ["In-Hyderabad-1", "In-Hyderabad-1", []],
  [
    "In-Bangalore-1",
    "In-Hyderabad-1",
    ["`vpcId` is an ID in In-Bangalore-1, and `region` is In-Hyderabad-1"],
  ],
])(
  "a VPC in %s for a subnet in %s is a warning of the plan if the regions differ",
  (of, region, expected) => {
    const cloud = openEveryKind();
    const vpcId = `krn:vpc:${of}:1:2:vpc:3`;
    const written = { vpcId, name: "a", cidr: "10.0.0.0/24", ipVersion: 4, ...(region && { region }) };
    const { problems, warnings } = engine.plan(resource("subnet"), undefined, written, cloud.session);
    expect(problems).toEqual([]);
    expect(warnings.map(({ detail }) => inWordsOf("pulumi", detail).split(":")[0])).toEqual(
      expected.map((text) => text.replaceAll("`", "")),
    );
  },
);
