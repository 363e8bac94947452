import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "@jest/globals";
import { StopError } from "../../provider/core/error.ts";
import type { Values } from "../../provider/core/value.ts";
import { createHandlers } from "../../provider/dynamic/handler.ts";
import { engine } from "../../provider/engine/engine.ts";
import { noEngineLog } from "../../provider/pulumi/log.ts";
import { resourceShape } from "../../provider/terraform/codec/schema.ts";
import { encode } from "../../provider/terraform/codec/value.ts";
import { openCloud, resource } from "../support/cloud.ts";
import { openProvider } from "../support/engine/provider.ts";
import { withDriver } from "../support/pulumi/driver.ts";

/** Tests files that a configuration names as the content of an object or a document. */

const folder = mkdtempSync(join(tmpdir(), "kcloud-content-"));
afterAll(() => rmSync(folder, { recursive: true }));

const kinds = ["object", "document-text"] as const;
const given: Readonly<Record<(typeof kinds)[number], Values>> = {
  object: { bucketId: "data", key: "a" },
  "document-text": { language: "english", fileType: "Digital" },
};

/** Program that checks a resource whose content is the file, and prints the problems. */
const program = (kind: (typeof kinds)[number], source: string) => `
  const { engine } = await import(${JSON.stringify(new URL("../../provider/engine/engine.ts", import.meta.url).href)});
  const { resources } = await import(${JSON.stringify(new URL("../../resources/index.ts", import.meta.url).href)});
  const resource = resources.find(({ name }) => name === ${JSON.stringify(kind)});
  const written = { ...${JSON.stringify(given[kind])}, source: ${JSON.stringify(source)} };
  await engine.prepare(resource, written, new AbortController());
  console.log(JSON.stringify(engine.check(resource, written).problems));`;

test.each(kinds)("a named pipe or a device as the content of the %s is rejected immediately", (kind) => {
  const pipe = join(folder, `${kind}.pipe`);
  execFileSync("mkfifo", [pipe]);
  for (const source of [pipe, "/dev/zero"]) {
    const args = ["--no-warnings", "--input-type=module", "--eval", program(kind, source)];
    const { stdout, stderr } = spawnSync(process.execPath, args, { encoding: "utf8", timeout: 20_000 });
    expect(stderr).toBe("");
    expect(JSON.parse(stdout)).toContainEqual({ path: ["source"], problem: `${source} is not a file` });
  }
});

/** Creates a sparse file of 256 MiB. */
function largeFile(name: string): string {
  const file = join(folder, name);
  writeFileSync(file, "");
  truncateSync(file, 256 * 1024 * 1024);
  return file;
}

/** Counts the turns of the event loop for other work of the process during `work`. */
async function turnsDuring(work: () => Promise<unknown>): Promise<number> {
  let turns = 0;
  let isOver = false;
  const turn = () => {
    turns += 1;
    if (!isOver) setImmediate(turn);
  };
  setImmediate(turn);
  await work().finally(() => {
    isOver = true;
  });
  return turns;
}

test("while a large file is read, calls of Terraform and Pulumi get responses", async () => {
  const written = (name: string) => ({ ...given.object, source: largeFile(name) });
  const shape = resourceShape(resource("object"));
  const provider = openProvider(openCloud());
  const validate = async () => {
    const config = encode({ ...written("terraform"), id: null, timeouts: null }, shape);
    for await (const { diagnostics } of [
      ...(await provider.call("validateResourceConfig", { typeName: "kcloud_object", config })),
    ])
      expect(diagnostics ?? []).toEqual([]);
  };
  expect(await turnsDuring(validate)).toBeGreaterThan(200);
  await withDriver(async (driver) => {
    const check = async () =>
      expect((await driver.check("ObjectResource", written("plugin"))).failures).toEqual([]);
    expect(await turnsDuring(check)).toBeGreaterThan(200);
  });
  const handlers = createHandlers(resource("object"), {
    engineLog: noEngineLog,
    session: () => openCloud().session,
  });
  const check = async () => expect((await handlers.check({}, written("dynamic"))).failures).toEqual([]);
  expect(await turnsDuring(check)).toBeGreaterThan(200);
});

test("a stop ends the reading of a large file", async () => {
  const written = { ...given.object, source: largeFile("stopped") };
  const stop = new AbortController();
  const reading = engine.prepare(resource("object"), written, stop);
  stop.abort(new StopError("stop"));
  await expect(reading).rejects.toThrow("the run was stopped");
});
