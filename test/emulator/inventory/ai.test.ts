import { expect, test } from "@jest/globals";
import { emulatorWith, krnOf } from "./sample.ts";

const pod = { kind: "ai_pod", krn: krnOf("kpod", "kpod", 31), name: "model", fields: { region: "x" } };

test.each([
  [{}, "running"],
  [{ running: false }, "stopped"],
  [{ failure: "no GPU" }, "failed"],
])("the status of a pod follows from its row: %j", async (fields, status) => {
  const emulator = await emulatorWith([{ ...pod, ...fields }]);
  emulator.configure({ assume: { podRead: "pod" } });
  const { body } = await emulator.call(`GET /v1/kpod/pod/${pod.krn}`);
  expect(body).toMatchObject({ status, region: "x" });
  expect(emulator.snapshot().objects).toEqual([expect.objectContaining({ ...pod, ...fields })]);
});

test("a task belongs to its user", async () => {
  const krn = krnOf("inference", "task", 32);
  const task = { kind: "inference_task", krn, name: "chat", user: "ana", fields: { ngpu: 1 } };
  const emulator = await emulatorWith([task]);
  const listed = (user: string) => emulator.call("GET /v1/inference/tasks", { headers: { "x-user": user } });
  expect(JSON.stringify((await listed("ana")).body)).toContain("chat");
  expect(JSON.stringify((await listed("bob")).body)).not.toContain("chat");
});

test("a job on a document has a result of its size", async () => {
  const md5 = "0123456789abcdef0123456789abcdef";
  const job = {
    ...{ kind: "document_job", krn: krnOf("document", "job", 33), name: "extract_text" },
    ...{ action: "extract_text", document: md5, result: { size: 7, md5 } },
  };
  const emulator = await emulatorWith([job]);
  const { body } = await emulator.call(
    "GET /v1/document/status?file_id=00000000-0000-4000-8000-000000000033",
  );
  expect(JSON.stringify(body)).toContain('"success"');
});
