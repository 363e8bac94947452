import { expect, test } from "@jest/globals";
import { at, type Cloud, cloud, refusal, textAt } from "../client.ts";

const create = "POST /v1/inference/tasks";
const headers = { "x-user": "ada" };
const path = (id: string) => `/v1/inference/tasks/${id}`;

async function make(emulator: Cloud, body: object = { task_name: "chat" }): Promise<string> {
  const reply = await emulator.call(create, { body, headers });
  expect(reply.status).toBe(200);
  return textAt(reply.body, "id");
}
const read = async (emulator: Cloud, id: string) =>
  (await emulator.call(`GET ${path(id)}`, { headers })).body as Record<string, unknown>;
const list = async (emulator: Cloud, user = "ada") =>
  (await emulator.call("GET /v1/inference/tasks", { headers: { "x-user": user } })).body;

test("a task is created, listed and read; its priority is returned as text", async () => {
  const emulator = cloud();
  const id = await make(emulator, { task_name: "chat", priority: 3, checkpoint: "chat-small-001", ngpu: 1 });
  expect(await list(emulator)).toEqual([{ name: "chat", id }]);
  expect(await read(emulator, id)).toEqual({
    name: "chat",
    namespace: "gpu-scheduler",
    id,
    priority: "3",
    status: "queued",
    inference_svc_name: expect.stringMatching(/^chat-/),
    inference_svc_url: expect.stringMatching(/^https:/),
  });
  await emulator.clock.advance(1000);
  expect(await read(emulator, id)).toMatchObject({ status: "running" });
});

test("a task belongs to its user, and every route requires a user", async () => {
  const emulator = cloud();
  const id = await make(emulator);
  expect(await list(emulator, "grace")).toEqual([]);
  expect(await refusal(emulator, `GET ${path(id)}`, { headers: { "x-user": "grace" } })).toEqual([
    404,
    `task ${id} not found`,
  ]);
  for (const request of [create, "GET /v1/inference/tasks", `GET ${path(id)}`, `GET ${path(id)}/cancel`])
    expect(await refusal(emulator, request, request === create ? { body: {} } : {})).toEqual([
      400,
      "header x-user: required",
    ]);
});

test("a cancelled task can be read until the switch hides it, and is in no listing", async () => {
  const emulator = cloud();
  const id = await make(emulator);
  expect((await emulator.call(`GET ${path(id)}/cancel`, { headers })).status).toBe(200);
  await emulator.clock.advance(1000);
  expect(await read(emulator, id)).toMatchObject({ status: "cancelled" });
  expect(await list(emulator)).toEqual([]);
  expect(emulator.inventory.list()).toEqual([]);
  expect((await emulator.call(`GET ${path(id)}/cancel`, { headers })).status).toBe(409);
  emulator.configure({ assume: { cancelledTaskShown: false } });
  expect((await emulator.call(`GET ${path(id)}`, { headers })).status).toBe(404);
});

test("an unknown checkpoint is rejected, and a name selects a failure", async () => {
  const emulator = cloud();
  expect(await refusal(emulator, create, { headers, body: { checkpoint: "none" } })).toEqual([
    400,
    "checkpoint none not found; there are chat-small-001, chat-small-002, vision-base-001",
  ]);
  expect((await refusal(emulator, create, { headers, body: { task_name: "x-error-503" } }))[0]).toBe(503);
  const id = await make(emulator, { task_name: "x-fails" });
  await emulator.clock.advance(1000);
  expect(await read(emulator, id)).toMatchObject({ status: "failed" });
});

test("the routes have the prefix of the switch", async () => {
  const emulator = cloud({ assume: { inferencePrefix: "/api" } });
  expect((await emulator.call("GET /api/v1/inference/tasks", { headers })).body).toEqual([]);
  expect((await emulator.call("GET /v1/inference/tasks", { headers })).status).toBe(404);
});

test("a deleted checkpoint is not in the list and counts as unknown", async () => {
  const emulator = cloud();
  const names = async () => (await emulator.call("GET /v1/inference/checkpoints", { headers })).body;
  expect(await names()).toEqual(["chat-small-001", "chat-small-002", "vision-base-001"]);
  const remove = "GET /v1/inference/checkpoints/chat-small-002/del";
  const reply = await emulator.call(remove, { headers });
  expect([reply.status, reply.body]).toEqual([200, undefined]);
  await emulator.clock.advance(7_200_000);
  expect(await names()).toEqual(["chat-small-001", "vision-base-001"]);
  expect((await emulator.call(remove, { headers })).status).toBe(404);
  expect(emulator.inventory.list()).toEqual([]);
});

test("the GETs that change something are logged as executed", async () => {
  const emulator = cloud();
  const id = await make(emulator);
  await emulator.call(`GET ${path(id)}/cancel`, { headers });
  const [entry] = emulator.log.entries({ operation: "cancel_inference_task" });
  expect(at(entry, "executed")).toBe(true);
});
