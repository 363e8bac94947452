import { expect, test } from "@jest/globals";
import { operationWaits, type WaitCall } from "../../library/operation-wait.ts";
import { effectOf } from "../../operation/operation.ts";
import { allOperations } from "../../operation/operations.ts";

const operationOf = (name: string) => allOperations().find((row) => row.name === name)?.operation;

test("every wait follows an operation that changes or destroys, whose response has no secret, and shows the object by one that reads", () => {
  for (const [name, { shows }] of Object.entries(operationWaits)) {
    const operation = operationOf(name);
    if (operation === undefined) throw new TypeError(name);
    expect([name, effectOf(operation)]).not.toEqual([name, "reads"]);
    // The object is printed in place of the response.
    expect([name, operation.secrets]).toEqual([name, []]);
    const shown = shows === undefined ? undefined : operationOf(shows);
    expect([name, shown && effectOf(shown)]).toEqual([name, shows === undefined ? undefined : "reads"]);
  }
});

test("every operation that starts a deletion of an object with a waiter has a wait, and shows nothing", () => {
  const destroying = Object.keys(operationWaits).filter((name) => {
    const operation = operationOf(name);
    return operation !== undefined && effectOf(operation) === "destroys";
  });
  expect(destroying).toEqual(["delete_vpc", "delete_instance", "delete_instance_sync", "delete_volume"]);
  for (const name of destroying) expect(operationWaits[name]?.shows).toBeUndefined();
});

test.each([
  ["create_instance", { count: 2 }, "count"],
  ["delete_instance", { taskId: "1" }, "instanceKrn"],
  ["control_instance", { action: "reboot" }, "action"],
  ["restore_backup", { volumeId: "krn" }, "volumeId"],
] as const)("%s with %j has nothing to wait for", (name, inputs, argument) => {
  expect(operationWaits[name]?.problem?.(inputs)?.path).toEqual([argument]);
});

test.each([
  ["create_instance", { count: 1 }],
  ["delete_instance", { instanceKrn: "krn" }],
  ["control_instance", { action: "stop" }],
  ["restore_backup", { name: "copy" }],
] as const)("%s with %j can be waited for", (name, inputs) => {
  expect(operationWaits[name]?.problem?.(inputs)).toBeUndefined();
});

test("a response of any form without the ID of the object has no wait", () => {
  const call = { inputs: { vpcId: "v" }, region: "r", waiters: {} } as unknown as WaitCall;
  const fromResponse = Object.entries(operationWaits).filter(
    ([name, { shows, before }]) =>
      shows !== undefined && before === undefined && !/^(attach|detach)_/.test(name),
  );
  expect(fromResponse.length).toBeGreaterThan(8);
  for (const [name, { start }] of fromResponse)
    for (const response of [
      undefined,
      null,
      "text",
      [],
      {},
      { task_id: null, volume: 1, data: [] },
      { id: "" },
    ])
      expect([name, start(call, response, {})]).toEqual([name, undefined]);
});
