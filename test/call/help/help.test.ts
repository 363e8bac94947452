import { expect, test } from "@jest/globals";
import { operationHelp } from "../../../call/help/help.ts";
import { negationOf, parametersIn, variableOption } from "../../../call/parameter.ts";
import { listOperations } from "../../../emulator/operation-list.ts";
import { allOperations } from "../../../operation/operations.ts";
import { expectGolden } from "../../support/golden.ts";

const all = allOperations();
const helpOf = (name: string): string => {
  const row = all.find((each) => each.name === name);
  if (row === undefined) throw new TypeError(name);
  return operationHelp(row);
};

test("the help of operations of each form is that of the golden file", () => {
  const names = [
    "create_volume",
    "delete_volume",
    "sign_in_root",
    "create_instance",
    "translate",
    "put_object_content",
    "search_vpc",
    "get_vpc_list",
    "cancel_inference_task",
  ];
  expectGolden(
    "call-help.txt",
    names.map((name) => `$ kcloud call ${name} --help\n${helpOf(name)}`).join("\n"),
  );
});

test("the help of every operation has each of its parameters, and names no option for a secret", () => {
  for (const { name, operation } of all)
    for (const parameter of parametersIn(operation)) {
      const { option, isSecret, schema } = parameter;
      const flags = { true: negationOf(parameter), false: option, undefined: `\\[no-\\]${option}` };
      const flag = flags[String(schema.default) as keyof typeof flags];
      const shown = isSecret ? variableOption(parameter) : schema.type === "boolean" ? flag : option;
      expect([name, helpOf(name)]).toEqual([
        name,
        expect.stringMatching(new RegExp(`^  --${shown}( |$)`, "m")),
      ]);
      if (isSecret) expect(helpOf(name)).not.toMatch(new RegExp(`^  --${option} `, "m"));
    }
});

test("the help of an operation beyond the documents and the emulator says that its request was never tried", () => {
  const known = new Set(listOperations().flatMap(({ name, built }) => (built ? [name] : [])));
  const marked = all.filter(({ name }) => /whose\s+request\s+was\s+never\s+tried/.test(helpOf(name)));
  expect(marked.map(({ name }) => name)).toEqual(all.flatMap(({ name }) => (known.has(name) ? [] : [name])));
});

test("every line fits a terminal of 80 columns", () => {
  const long = all.flatMap(({ name }) =>
    helpOf(name)
      .split("\n")
      .filter((line) => line.length > 80),
  );
  expect(long).toEqual([]);
});
