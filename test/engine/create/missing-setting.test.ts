import { expect, test } from "@jest/globals";
import { ConfigError, InputError } from "../../../provider/core/error.ts";
import type { Value, Values } from "../../../provider/core/value.ts";
import { inWordsOf } from "../../../provider/core/wording.ts";
import { engine } from "../../../provider/engine/engine.ts";
import { isRef } from "../../adapter/adapter.ts";
import { lifecycleCases } from "../../adapter/lifecycle/lifecycle.ts";
import { resource } from "../../support/cloud.ts";
import { openEveryKind } from "../../support/every-kind.ts";
import { idOf } from "../../support/problem.ts";

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
      warnings.some(
        ({ detail }) =>
          setting === "accessKey" && inWordsOf("terraform", detail).includes("SERVICE_ACCESS_KEY"),
      );
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
