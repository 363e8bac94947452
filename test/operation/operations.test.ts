import { readFileSync } from "node:fs";
import { describe, expect, test } from "@jest/globals";
import ts from "typescript";
import { listOperations } from "../../emulator/operation-list.ts";
import { effectOf } from "../../operation/operation.ts";
import { allOperations, clientOperations } from "../../operation/operations.ts";
import { nodes, sources } from "../repository/repository.ts";

const all = allOperations();
const byName = new Map(all.map((row) => [row.name, row]));
const listed = listOperations();

/** Returns a path without the names of its parameters, which are not those of the emulator. */
const formOf = (path: string): string => path.replace(/\{\w+\}/g, "{}");

describe("the table of operations", () => {
  test("has the names, routes and sections of the emulator's list", () => {
    const known = new Map(listed.map((operation) => [operation.name, operation]));
    for (const { name, operation } of all) {
      const { method, path } = operation.endpoint;
      const expected = known.get(name);
      expect([name, method, formOf(path), operation.section]).toEqual([
        name,
        expected?.method,
        formOf(expected?.path ?? ""),
        expected?.section,
      ]);
    }
    expect(byName.size).toBe(all.length);
  });

  test("has every operation of the interface documents, and every one that the emulator implements", () => {
    const missing = listed.filter(({ name, built }) => built && !byName.has(name));
    expect(missing.map(({ name }) => name)).toEqual([]);
    expect(listed.filter(({ source, name }) => source === "seed" && byName.has(name))).toHaveLength(85);
    expect(listed.filter(({ built, name }) => built && byName.has(name))).toHaveLength(143);
    expect(clientOperations()).toHaveLength(143);
  });

  test("lacks only operations whose request no source shows", () => {
    const missing = listed.filter(({ name }) => !byName.has(name));
    expect(missing.map(({ name }) => name).toSorted()).toEqual([
      "attach_zone_vpc",
      "create_scaling_group",
      "detach_zone_vpc",
      "get_scaling_group",
      "get_target_groups",
      "list_target_group_names",
      "list_target_groups",
      "update_certificate",
      "update_record",
      "update_target_group",
    ]);
  });

  test("has sections that the contract has", () => {
    const contract = readFileSync("docs/contract.md", "utf8");
    const missing = all.filter(({ operation }) => !contract.includes(`<a id="${operation.section}"></a>`));
    expect(missing.map(({ name }) => name)).toEqual([]);
  });

  test("describes each operation and each of its parameters in a sentence", () => {
    const wrong = all.flatMap(({ name, operation: { about, fields } }) => [
      ...(/^[A-Z].*[^.]\.$/s.test(about) ? [] : [name]),
      ...Object.entries(fields).flatMap(([parameter, { about: text }]) =>
        /^[A-Z`].*\.$/s.test(String(text)) ? [] : [`${name} ${parameter}`],
      ),
    ]);
    expect(wrong).toEqual([]);
  });

  test("names no parameter like a word of the wire: each is in camelCase", () => {
    const wrong = all.flatMap(({ name, operation: { fields } }) =>
      Object.keys(fields).flatMap((field) =>
        /^[a-z]+([A-Z][a-z]+)*$/.test(field) ? [] : [`${name} ${field}`],
      ),
    );
    expect(wrong).toEqual([]);
  });

  test("says by the semantics, not by the method, which operations destroy", () => {
    const gets = all.filter(
      ({ operation }) => operation.endpoint.method === "GET" && effectOf(operation) !== "reads",
    );
    expect(gets.map(({ name }) => name)).toEqual(["cancel_inference_task", "delete_checkpoint"]);
    expect(gets.map(({ operation }) => effectOf(operation))).toEqual(["destroys", "destroys"]);
  });
});

/** Endpoint in a source: its semantics and its route. */
const declaredIn = (file: string): readonly { readonly semantics: string; readonly route: string }[] =>
  nodes(file).flatMap((node) => {
    if (!ts.isCallExpression(node) || !ts.isIdentifier(node.expression)) return [];
    const [semantics, route] = node.arguments;
    if (node.expression.text !== "endpoint" || semantics === undefined || route === undefined) return [];
    return ts.isStringLiteral(semantics) && ts.isStringLiteral(route)
      ? [{ semantics: semantics.text, route: route.text }]
      : [];
  });

test("every endpoint of a definition is in the table, with the same semantics", () => {
  const rows = all.map(({ operation: { endpoint } }) => ({
    semantics: endpoint.semantics as string,
    route: `${endpoint.method} ${formOf(endpoint.path)}`,
  }));
  const declared = sources
    .filter((file) => /^(resources|functions|provider)\//.test(file))
    .flatMap(declaredIn)
    .map(({ semantics, route }) => ({ semantics, route: formOf(route) }));
  expect(declared.length).toBeGreaterThan(90);
  const others = declared.filter(
    (each) => !rows.some((row) => row.route === each.route && row.semantics === each.semantics),
  );
  expect(others).toEqual([
    // The form of an upload without a pre-signed URL: the first request of the same route is that of the table.
    { semantics: "create", route: "PUT /kos/v1/buckets/{}/objects" },
  ]);
});
