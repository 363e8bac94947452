import { expect, test } from "@jest/globals";
import { functions } from "../../../functions/index.ts";
import { schemaShape } from "../../../provider/definition/shape.ts";
import { decode, encode } from "../../../provider/terraform/codec/value.ts";
import { openCloud } from "../../support/cloud.ts";
import { openProvider } from "../../support/engine/provider.ts";

const text = { kind: "string" } as const;

const shapes = { string: text, number: { kind: "number" }, boolean: { kind: "boolean" } } as const;

/** Calls a function with these values and nulls on a provider that is not configured. */
async function call(name: string, ...given: (string | number | boolean | undefined)[]) {
  const provider = openProvider(openCloud());
  const { result, error } = await provider.one("callFunction", {
    name,
    arguments: given.map((value) =>
      value === undefined ? encode(null, text) : encode(value, shapes[typeof value as keyof typeof shapes]),
    ),
  });
  const asked = functions.find((candidate) => candidate.name === name.replaceAll("_", "-"));
  return error ?? (asked && decode(result, schemaShape(asked.result)));
}

test("GetFunctions describes parameters, the last one as variadic if it accepts any number of values", async () => {
  const provider = openProvider(openCloud());
  const { functions: described = {} } = await provider.one("getFunctions", {});
  const types = Object.entries(described).map(
    ([name, { parameters = [], variadicParameter, return: given }]) => {
      const typeOf = (type?: Uint8Array) => Buffer.from(type ?? []).toString();
      const all = parameters.map((parameter) => `${parameter.name} ${typeOf(parameter.type)}`);
      const rest = variadicParameter && `...${variadicParameter.name} ${typeOf(variadicParameter.type)}`;
      return `${name}(${[...all, ...(rest ? [rest] : [])].join(", ")}) ${typeOf(given?.type)}`;
    },
  );
  expect(types).toEqual([
    'parse_id(id "string") ["object",{"service":"string","region":"string","account":"string","customer":"string","type":"string","uuid":"string"}]',
    'build_id(service "string", region "string", account "string", customer "string", type "string", uuid "string") "string"',
    'subnets(range "string", ...prefixes "number") ["list","string"]',
    'user_data(...parts "string") "string"',
  ]);
  const { functions: schemas } = await provider.one("getProviderSchema", {});
  expect(schemas).toEqual(described);
  const { functions: names } = await provider.one("getMetadata", {});
  expect(names?.map(({ name }) => name)).toEqual(Object.keys(described));
});

test("a function runs without a provider configuration, and a missing argument is null", async () => {
  expect(await call("subnets", "10.0.0.0/16", 24, 20)).toEqual(["10.0.0.0/24", "10.0.16.0/20"]);
  expect(await call("subnets", "10.0.0.0/16")).toEqual([]);
  expect(await call("build_id", "vm", "In-Bangalore-1", "1", "c", "instance", "u")).toBe(
    "krn:vm:In-Bangalore-1:1:c:instance:u",
  );
  expect(await call("parse_id", "krn:cloud:network:r:1:subnet/u")).toEqual({
    service: "network",
    region: "r",
    account: "1",
    customer: null,
    type: "subnet",
    uuid: "u",
  });
});

test("an invalid argument is reported with its position", async () => {
  expect(await call("subnets", "10.0.0.0/23", 24, 24, 24)).toEqual({
    text: "does not fit into 10.0.0.0/23 after the ranges before it",
    functionArgument: 3,
  });
  expect(await call("subnets", "here", 24)).toEqual({
    text: "must be a CIDR such as 10.0.0.0/16",
    functionArgument: 0,
  });
  expect(await call("subnets", "10.0.0.0/16", 24.5)).toEqual({
    text: "must be a whole number",
    functionArgument: 1,
  });
  expect(await call("build_id", "vm", "r", "1", "a:b", "instance", "u")).toEqual({
    text: "must not be empty and must not contain a colon",
    functionArgument: 3,
  });
  expect(await call("user_data", "#!/bin/sh", true)).toEqual({
    text: "must be a string",
    functionArgument: 1,
  });
  expect(await call("parse_id", undefined)).toEqual({ text: "is required", functionArgument: 0 });
});

test("an unknown function is rejected by name", async () => {
  expect(await call("nothing")).toEqual({ text: "This provider has no function nothing." });
});
