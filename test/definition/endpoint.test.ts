import { expect, test } from "@jest/globals";
import * as z from "zod/mini";
import type { CallOf } from "../../provider/definition/api.ts";
import { type Endpoint, endpoint, json } from "../../provider/definition/endpoint.ts";

const change = endpoint("update", "PUT /vpcs/{vpc}/volumes/{volume}", z.object({ id: z.string() }), {
  body: json<{ name: string; size?: number }>(),
});
const remove = endpoint("delete", "DELETE /volumes/{volume}");
const list = endpoint("read", "GET /volumes");

const callOf = <A, P extends string, B extends object>(_: Endpoint<A, P, B>, ...call: CallOf<P, B>) =>
  call[0];

test("the compiler rejects an unknown or missing parameter of a path and field of a body", () => {
  const path = { vpc: "v", volume: "d" };
  expect(callOf(change, { path, body: { name: "data", size: 1 } })).toEqual({
    path,
    body: { name: "data", size: 1 },
  });
  expect(callOf(remove, { path: { volume: "d" } })).toEqual({ path: { volume: "d" } });
  expect(callOf(list)).toBeUndefined();
  // @ts-expect-error unknown parameter
  callOf(remove, { path: { volum: "d" } });
  // @ts-expect-error another parameter
  callOf(remove, { path: { volume: "d", vpc: "v" } });
  // @ts-expect-error missing parameter
  callOf(change, { path: { vpc: "v" }, body: { name: "data" } });
  // @ts-expect-error no parameters
  callOf(remove);
  // @ts-expect-error path without parameters
  callOf(list, { path: { volume: "d" } });
  // @ts-expect-error unknown field
  callOf(change, { path, body: { name: "data", siez: 1 } });
  // @ts-expect-error missing field
  callOf(change, { path, body: { size: 1 } });
  // @ts-expect-error no body
  callOf(change, { path });
});

test("an endpoint has no trace of the types of its requests", () => {
  expect(change).toMatchObject({ method: "PUT", path: "/vpcs/{vpc}/volumes/{volume}" });
  expect([Object.hasOwn(change, "body"), Object.hasOwn(change, "parameter")]).toEqual([false, false]);
});
