import { expect, test } from "@jest/globals";
import { isSecretParameter, withFieldsReplaced } from "../../operation/secret-field.ts";

test("a secret parameter is one in the spelling of requests and of responses", () => {
  for (const name of ["userData", "user_data", "environment_variables", "secretKey"])
    expect([name, isSecretParameter(name)]).toEqual([name, true]);
  // The address of a transfer is named as many fields that are no secrets.
  for (const name of ["address", "name", "access_key"])
    expect([name, isSecretParameter(name)]).toEqual([name, false]);
});

test("fields are replaced at any depth by their names and records, and empty ones stay", () => {
  const value = {
    a: "1",
    list: [{ a: "2", b: "3" }, { a: "" }, { a: null }],
    inner: { a: { deep: 1 } },
    b: "x",
  };
  const replaced = withFieldsReplaced(value, (name, record) =>
    name === "a" && !("b" in record && "list" in record) ? "*" : undefined,
  );
  expect(replaced).toEqual({
    a: "1",
    list: [{ a: "*", b: "3" }, { a: "" }, { a: null }],
    inner: { a: "*" },
    b: "x",
  });
});
