import { expect, test } from "@jest/globals";
import ts from "typescript";
import { listOperations } from "../../emulator/operation-list.ts";
import { actions, lookups } from "../../functions/index.ts";
import { camelCase, snakeCase } from "../../provider/core/name.ts";
import { check } from "../../provider/definition/check.ts";
import type { Fields } from "../../provider/definition/field.ts";
import { type Member, membersOf, type Shape } from "../../provider/definition/shape.ts";
import { resources } from "../../resources/index.ts";
import { nodes, ours, parse, sources, text } from "../repository/repository.ts";

/** Tests rules for definitions and for the documentation of exports. Each test collects the violations of its rule. */

/** Every call of `endpoint` in the definitions: file, semantics and route as written. */
const endpoints = ours.flatMap((file) =>
  nodes(file).flatMap((node) => {
    if (!ts.isCallExpression(node) || node.expression.getText() !== "endpoint") return [];
    const [semantics, route] = node.arguments.map((argument) =>
      ts.isStringLiteral(argument) ? argument.text : "",
    );
    return [{ file, semantics: semantics ?? "", route: route ?? "" }];
  }),
);

test("every route is declared with its semantics, and none is created in another way", () => {
  const meanings = [
    "read",
    "create",
    "update",
    "action",
    "delete",
    "guarded-delete",
    "account-wide",
    "sign-in",
    "cancel",
    "metered",
  ];
  expect(endpoints.length).toBeGreaterThan(10);
  expect(endpoints.filter(({ semantics, route }) => !meanings.includes(semantics) || route === "")).toEqual(
    [],
  );
  const wrong = endpoints.filter(
    ({ semantics, route }) =>
      /^DELETE |\/delete$/.test(route) !== /delete$|^account-wide$/.test(semantics) ||
      (route.startsWith("GET ") && !["read", "cancel"].includes(semantics)),
  );
  expect(wrong).toEqual([]);
  const bare = ours.filter(
    (file) => file !== "provider/definition/endpoint.ts" && /\bsemantics:/.test(text(file)),
  );
  expect(bare).toEqual([]);
});

test("every route is in the contract", () => {
  const shape = (path: string) => path.replaceAll(/\{\w+\}/g, "{}");
  const known = new Set(listOperations().map(({ method, path }) => shape(`${method} ${path}`)));
  expect(endpoints.map(({ route }) => shape(route)).filter((route) => !known.has(route))).toEqual([]);
});

/** Returns the exports of a file that have no doc comment. */
const undocumented = (file: string): string[] =>
  parse(file).statements.flatMap((statement) => {
    const exported =
      ts.canHaveModifiers(statement) &&
      ts.getModifiers(statement)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword);
    if (!exported || ts.getJSDocCommentsAndTags(statement).length > 0) return [];
    const names = ts.isVariableStatement(statement)
      ? statement.declarationList.declarations.map(({ name }) => name.getText())
      : [(statement as ts.DeclarationStatement).name?.getText() ?? "?"];
    return names.map((name) => `${file}: ${name}`);
  });

test("every export of the core, the definitions and the package has a doc comment", () => {
  const core = sources.filter((file) => /^(provider\/[\w-]+\.ts|functions\/.*|index\.ts)$/.test(file));
  expect(core.flatMap(undocumented)).toEqual([]);
});

const definitions = [...resources, ...lookups, ...actions];

/** Returns every field of a definition with its path; a group comes before its members. */
function everyField(
  fields: Fields,
  path: readonly string[] = [],
): { path: readonly string[]; field: Fields[string] }[] {
  return Object.entries(fields).flatMap(([name, field]) => [
    { path: [...path, name], field },
    ...(field.kind === "group" ? everyField(field.fields, [...path, name]) : []),
  ]);
}

test("definitions contain nothing that an adapter cannot represent", () => {
  // Words reserved by the engines or by classes generated from a schema.
  const reserved = new Set([
    "id",
    "urn",
    "count",
    "forEach",
    "provider",
    "lifecycle",
    "dependsOn",
    "connection",
    "provisioner",
    "timeouts",
    "node",
    "fqn",
    "friendlyUniqueId",
    "constructNodeMetadata",
    "terraformResourceType",
    "constructor",
    "prototype",
    "__proto__",
  ]);
  const wrong = definitions.flatMap(({ name, fields }) =>
    everyField(fields).flatMap(({ path }) => {
      const last = path.at(-1) ?? "";
      const isLookup = lookups.some((lookup) => lookup.fields === fields);
      return [
        ...(/^[a-z][a-zA-Z0-9]*$/.test(last) && camelCase(snakeCase(last)) === last
          ? []
          : ["is not a valid name in every adapter"]),
        ...(path.length === 1 && reserved.has(last) && !(last === "id" && isLookup)
          ? ["is a reserved name"]
          : []),
      ].map((what) => `${name}.${path.join(".")} ${what}`);
    }),
  );
  expect(wrong).toEqual([]);
});

function shapesOf(shape: Shape): Shape[] {
  if (shape.kind === "object")
    return [shape, ...Object.values(shape.fields).flatMap((member) => shapesOf(member.shape))];
  return "of" in shape ? [shape, ...shapesOf(shape.of)] : [shape];
}

test("definitions have a shape in every adapter, and no default that they reject", () => {
  for (const { fields } of definitions) {
    const members = Object.entries(membersOf(fields)) as [string, Member][];
    const shapes = members.flatMap(([, member]) => shapesOf(member.shape));
    // Some generators omit maps of objects.
    expect(shapes.filter((shape) => shape.kind === "map" && shape.of.kind === "object")).toEqual([]);
    for (const [name, member] of members)
      if (member.default !== undefined)
        expect(
          check({ fields }, { [name]: member.default }).problems.filter(({ path }) => path[0] === name),
        ).toEqual([]);
  }
});

test("the timeouts of a resource are whole seconds", () => {
  for (const { timeouts } of resources)
    for (const seconds of Object.values(timeouts))
      expect(Number.isInteger(seconds) && seconds > 0).toBe(true);
});

test("fields that are sent after the create can be changed in place", () => {
  const fixed = resources.flatMap(({ name, fields, verbs }) =>
    Object.entries(fields).flatMap(([field, { kind, options }]) =>
      kind === "field" &&
      options.deferred === true &&
      (options.change !== "update" || verbs.update === undefined)
        ? [`${name}.${field}`]
        : [],
    ),
  );
  expect(fixed).toEqual([]);
});

test("exactly the kinds that a delete of a parent can delete are declared as such", () => {
  const deleted = resources.flatMap(({ deletesToo = [] }) =>
    deletesToo.flatMap(({ kind, contents }) => (contents === undefined ? [] : [kind])),
  );
  const declared = resources.filter(({ deletedWithParent }) => deletedWithParent === true);
  expect(declared.map(({ name }) => name)).toEqual(deleted);
});
