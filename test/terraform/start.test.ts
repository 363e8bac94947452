import { copyFile, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { afterEach, expect, test } from "@jest/globals";
import { frame } from "../../provider/grpc/grpc.ts";
import { connectPlugin, endPlugins } from "../../tools/plugin/terraform.ts";
import { program as programOf } from "../support/engine/built.ts";
import { codeCaches } from "../support/engine/terraform.ts";
import { traceLoads } from "../support/trace-loads.ts";

/** Code that a process of the built plugin loads. */

const built = programOf("terraform-provider-kcloud");

afterEach(endPlugins);

/** Calls methods of a new process of the built plugin, then Shutdown. Returns status codes and loaded parts. */
async function partsOf(paths: readonly string[], program = built) {
  const { plugin, client } = await connectPlugin({}, ["--import", traceLoads], program);
  const empty = frame(new Uint8Array());
  const replies = await Promise.all(paths.map((path) => client.send(path, [empty])));
  await client.send("/plugin.GRPCController/Shutdown", [empty]);
  await client.close();
  const { stderr } = await plugin.ended;
  return {
    statuses: replies.map(({ status }) => status),
    parts: [...stderr.matchAll(/^loads (.+)$/gm)].map(([, part]) => part),
  };
}

/** Methods of go-plugin that engines call in every process and the provider does not implement. */
const otherServices = ["/plugin.GRPCStdio/StreamStdio", "/plugin.GRPCBroker/StartStream"];
const unimplemented = 12;

test("a process that only returns the schema, the first of a command, loads no definitions", async () => {
  expect(await partsOf([...otherServices, "/tfplugin6.Provider/GetProviderSchema"])).toEqual({
    statuses: [unimplemented, unimplemented, 0],
    parts: ["provider/terraform/constant.ts, compiled"],
  });
});

const validate = "/tfplugin6.Provider/ValidateProviderConfig";

test("a process that validates loads the definitions", async () => {
  const { statuses, parts } = await partsOf([...otherServices, validate]);
  expect(statuses).toEqual([unimplemented, unimplemented, 0]);
  expect(parts).toEqual(["provider/terraform/rpc/rpc.ts, cached"]);
});

test("a process that keeps running sets V8 flags after it has loaded all code", async () => {
  const { plugin, client } = await connectPlugin({}, ["--import", traceLoads], built);
  const configure = "/tfplugin6.Provider/ConfigureProvider";
  expect((await client.send(configure, [frame(new Uint8Array())])).status).toBe(0);
  await plugin.printed("sets --");
  await client.close();
  plugin.process.kill("SIGTERM");
  const { stderr } = await plugin.ended;
  const lines: readonly string[] = stderr.match(/^(loads|sets) .+$/gm) ?? [];
  expect(lines.slice(0, 5)).toEqual([
    "loads provider/terraform/rpc/rpc.ts, cached",
    "loads provider/platform/undici.ts, cached",
    "loads provider/platform/heap.ts, compiled",
    "sets --no-turbofan",
    "sets --heap-growing-percent=20",
  ]);
  // A collection may have set the last flag by now.
  expect(lines.slice(5).filter((line) => line !== "sets --semi-space-growth-factor=1")).toEqual([]);
});

test.each([
  ["without its file of code caches", undefined],
  ["with a damaged file of code caches", (bytes: Buffer) => bytes.map((byte) => byte ^ 1)],
])("a plugin that was installed %s compiles its code", async (_, damage) => {
  const folder = await mkdtemp(join(tmpdir(), "kcloud-start-"));
  try {
    const program = join(folder, "terraform-provider-kcloud");
    await copyFile(built, program);
    if (damage !== undefined)
      await writeFile(join(folder, basename(codeCaches)), damage(await readFile(codeCaches)));
    expect(await partsOf([validate], program)).toEqual({
      statuses: [0],
      parts: ["provider/terraform/rpc/rpc.ts, compiled"],
    });
  } finally {
    await rm(folder, { recursive: true });
  }
});
