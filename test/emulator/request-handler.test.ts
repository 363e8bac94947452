import { expect, test } from "@jest/globals";
import { createEmulator, type Execution, parseInventory } from "../../emulator/emulator.ts";
import { rows, subnet, time, vpc } from "./inventory/sample.ts";

const base = "http://emulator";
const headers = {
  ...{ authorization: "Bearer emulator-key", "x-region": "In-Bangalore-1" },
  "content-type": "application/json",
};

/** Returns an emulator with a network, and its executions. */
function observed(objects: readonly object[] = [rows.vpc, rows.network, rows.subnet]) {
  const executions: Execution[] = [];
  const emulator = createEmulator({ observe: (execution) => executions.push(execution) });
  emulator.load(parseInventory({ version: 1, time, objects }));
  const send = (method: string, path: string, body?: object) =>
    emulator.fetch(`${base}${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) });
  return { emulator, executions, send };
}

const deletion = `/v1/highlvlvpc/delete_subnet?subnet_id=${subnet}&vpc_id=${vpc}`;

test("an execution names its object without the parents, and the switch that decided", async () => {
  const execution = { operation: "delete_subnet", changes: true, objects: [subnet] };
  const free = observed();
  await free.send("DELETE", deletion);
  expect(free.executions).toEqual([{ ...execution, status: 200, decisions: [] }]);
  const used = observed([rows.vpc, rows.network, rows.subnet, rows.port]);
  used.emulator.configure({ assume: { subnetDeleteWithPorts: "conflict" } });
  await used.send("DELETE", deletion);
  used.emulator.configure({ assume: { subnetDeleteWithPorts: "removes" } });
  await used.send("DELETE", deletion);
  expect(used.executions.map(({ status, decisions }) => [status, decisions])).toEqual([
    [409, ["subnetDeleteWithPorts"]],
    [200, ["subnetDeleteWithPorts"]],
  ]);
});

test("a create names what it created", async () => {
  const { executions, send } = observed();
  const create = (name: string) => send("POST", "/securityGroup/v1", { name, vpcid: vpc });
  await create("web");
  const [first] = executions;
  expect(first?.objects).toHaveLength(1);
  expect(first?.objects[0]).toMatch(/:sg:/);
  await create("web");
  expect(executions.at(-1)?.decisions).toContain("equalNames");
});

test("a read changes nothing, and a request of no operation is no execution", async () => {
  const { executions, send } = observed();
  await send("GET", `/v1/highlvlvpc/search_network?vpc_id=${vpc}`);
  await send("GET", "/none");
  expect(executions.map(({ changes }) => changes)).toEqual(executions.map(() => false));
  expect(executions).toHaveLength(1);
});
