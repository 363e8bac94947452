import { expect, test } from "@jest/globals";
import { callOptions, waitOption } from "../../call/option.ts";
import { negationOf, optionOf, parametersIn, variableOption } from "../../call/parameter.ts";
import { allOperations } from "../../operation/operations.ts";
import { camelCase, underscored } from "../../provider/core/name.ts";

test("every parameter has an option of its own, which no option of all calls has", () => {
  for (const { name, operation } of allOperations()) {
    const options = parametersIn(operation).flatMap((one) => [
      one.option,
      negationOf(one),
      variableOption(one),
    ]);
    const all = [...options, ...Object.keys({ ...callOptions, ...waitOption }), "help", "list"];
    expect([name, all.length - new Set(all).size]).toEqual([name, 0]);
    for (const one of parametersIn(operation)) expect(camelCase(underscored(one.option))).toBe(one.name);
  }
});

test("a parameter is a secret if a part of it is", () => {
  const secrets = allOperations().flatMap(({ name, operation }) =>
    parametersIn(operation).flatMap((one) => (one.isSecret ? [`${name} ${optionOf(one.name)}`] : [])),
  );
  expect(secrets).toContain("create_pod environment-variables");
  expect(secrets).toContain("sign_in_root password");
  expect(secrets).not.toContain("sign_in_root email");
});
