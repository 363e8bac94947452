import { expect, test } from "@jest/globals";
import type { Text } from "../../provider/core/wording.ts";
import { engine } from "../../provider/engine/engine.ts";
import { openCloud, resource } from "../support/cloud.ts";

/** Tests log lines of operations: each names the object, so that the lines of one object can be found. */

test("lines of requests and of waits have kind, name, id and request id, and the facts that the adapter adds", async () => {
  const lines: { message: Text; facts: object }[] = [];
  const log = (_: string, message: Text, facts: object = {}) => void lines.push({ message, facts });
  const cloud = openCloud({}, {}, { log });
  const vpc = resource("vpc");
  const state = await cloud.run(cloud.create("vpc", { name: "net" }));
  expect(lines.filter(({ message }) => message === "waiting")).not.toEqual([]);
  for (const { facts } of lines) expect(facts).toMatchObject({ resource: "vpc", name: "net" });
  lines.length = 0;
  const call = { ...cloud.call, facts: { urn: "urn:pulumi:dev::shop::kcloud:index:Vpc::net" } };
  await cloud.run(engine.read(cloud.reopen(), vpc, state, call));
  const object = { resource: "vpc", name: "net", id: state.id, urn: call.facts.urn };
  expect(lines.map(({ message }) => message)).toContain("request");
  for (const { message, facts } of lines) {
    expect(facts).toMatchObject(object);
    if (message === "request") expect(facts).toMatchObject({ requestId: expect.stringMatching(/\S/) });
  }
});
