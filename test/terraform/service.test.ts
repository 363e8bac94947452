import { beforeEach, expect, test } from "@jest/globals";
import { ensureEngine } from "../../tools/engines/engine.ts";
import { openSite } from "../support/engine/open-site.ts";
import { configure, type Folder, succeed } from "../support/engine/terraform.ts";
import { storageSettings } from "../support/storage-setting.ts";

/** Billed requests and inference tasks with the real engine. */

const terraform = await ensureEngine("terraform");
const site = openSite({ taskMs: 200 });
const { emulator } = site;
let folder: Folder;

beforeEach(async () => {
  folder = await site.open(terraform, storageSettings(site.url));
});

const run = (...args: string[]) => succeed(folder, args);

/** Fails if the plan has a change, of a resource or of an output. */
const unchanged = () => run("plan", "-detailed-exitcode");

test("a document as output of the root module shows no change in any later plan", async () => {
  await configure(folder, {
    resource: {
      kcloud_document_information: {
        letter: {
          language: "english",
          file_type: "Digital",
          content: "Name: Ana\nCity: Pune",
          entities: ["key_value", "PII"],
        },
      },
      kcloud_text_sentiment: { mood: { text: "The engine is great.", lang_from: "eng" } },
    },
    output: {
      letter: { value: "${" + "kcloud_document_information.letter}", sensitive: true },
      mood: { value: "${" + "kcloud_text_sentiment.mood}", sensitive: true },
    },
  });
  await run("init");
  await run("apply", "-auto-approve");
  await unchanged();
  await unchanged();
  await run("apply", "-refresh-only", "-auto-approve");
  await unchanged();
  const { extract_document_information, analyze_sentiment } = emulator.log.counts();
  expect([extract_document_information, analyze_sentiment]).toEqual([1, 1]);
});

test("a hundred texts in one apply are a hundred requests, and none in the plan after it", async () => {
  await configure(folder, {
    resource: {
      kcloud_text_language: { each: { count: 100, query: "text ${" + "count.index}" } },
    },
  });
  await run("init");
  expect(await run("plan")).toContain("is billed");
  expect(emulator.log.entries()).toEqual([]);
  await run("apply", "-auto-approve", "-parallelism=20");
  const bodies = emulator.log.entries().map(({ body }) => JSON.stringify(body));
  expect([bodies.length, new Set(bodies).size]).toEqual([100, 100]);
  await unchanged();
  await run("destroy", "-auto-approve");
  expect(emulator.log.entries()).toHaveLength(100);
});

test("a failed or late task stays in the state, and a destroy cancels each once", async () => {
  const configuration = (priority: number) => ({
    resource: {
      kcloud_inference_task: {
        failed: { name: "chat-fails", priority, wait_for: ["running"] },
        late: { name: "late", priority, wait_for: ["never"], timeouts: { create: "6s" } },
      },
    },
  });
  await configure(folder, configuration(1));
  await run("init");
  const output = await run("apply", "-auto-approve");
  expect(output).toContain("has a failed status");
  expect(output).toContain("is not ready yet");
  await unchanged();
  await configure(folder, configuration(2));
  expect(await run("plan")).toContain("2 to add, 0 to change, 2 to destroy");
  await run("apply", "-auto-approve");
  await run("destroy", "-auto-approve");
  const { create_inference_task, cancel_inference_task, delete_checkpoint } = emulator.log.counts();
  expect([create_inference_task, cancel_inference_task, delete_checkpoint]).toEqual([4, 4, undefined]);
});
