import { expect, test } from "@jest/globals";
import { cloud } from "../client.ts";
import { scenario } from "../tour.ts";

const grace = { "x-user": "grace" };
const missing = "404 task … not found";

scenario("a task of a user is queued, runs, and can be read when it is cancelled unless a switch hides it", [
  ["create_inference_task", {}, { name: "chat", id: expect.any(String) }],
  ["get_inference_task", {}, { status: "queued" }],
  500,
  ["get_inference_task", {}, { status: "deploying" }],
  500,
  ["get_inference_task", {}, { status: "running", inference_svc_url: expect.stringMatching(/^https:/) }],
  ["list_inference_tasks", grace, { length: 0 }],
  ["get_inference_task", grace, missing],
  ["cancel_inference_task", {}, 200],
  ["get_inference_task", {}, { status: "cancelled" }],
  ["cancel_inference_task", {}, "409 chat is already being deleted"],
  1000,
  ["get_inference_task", {}, { status: "cancelled" }],
  ["get_inference_task", {}, missing, { cancelledTaskShown: false }],
  ["list_inference_tasks", {}, { length: 0 }],
]);

scenario("a task has a known checkpoint, may have no name, and fails by its name", [
  ["create_inference_task", { checkpoint: "none" }, "400 checkpoint none not found; there are…"],
  ["create_inference_task", { task_name: "a-error-503" }, "503 refused because of the name a-error-503"],
  ["create_inference_task", { ngpu: 0 }, 400],
  [
    "create_inference_task",
    { task_name: undefined, namespace: undefined, priority: undefined },
    { name: "" },
  ],
  ["get_inference_task", {}, { namespace: "gpu-scheduler", priority: "0" }],
  ["get_inference_task", {}, { inference_svc_name: expect.stringMatching(/^task-/) }],
  ["create_inference_task", { task_name: "b-fails" }, 200],
  1000,
  ["get_inference_task", {}, { status: "failed" }],
  ["delete_checkpoint", { checkpoint: "none" }, "404 checkpoint none not found; there are…"],
  ["delete_checkpoint", {}, 200],
  ["create_inference_task", { checkpoint: "chat-small-002" }, 400],
  ["delete_checkpoint", {}, 404],
]);

test("the routes have the prefix of the switch", async () => {
  const emulator = cloud({ assume: { inferencePrefix: "/api" } });
  const headers = { "x-user": "ada" };
  expect((await emulator.call("GET /api/v1/inference/tasks", { headers })).body).toEqual([]);
  expect((await emulator.call("GET /v1/inference/tasks", { headers })).status).toBe(404);
});
