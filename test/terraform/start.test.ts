import { afterEach, expect, test } from "@jest/globals";
import { frame } from "../../provider/terraform/transport/grpc.ts";
import { connectPlugin, endPlugins } from "../support/engine/plugin.ts";
import { plugin as built } from "../support/engine/terraform.ts";

/** Parts of the built plugin that a process loads. */

afterEach(endPlugins);

/** Module for `--import` that writes each part that is loaded and each V8 flag that is set to standard error. */
const trace = `data:text/javascript,${encodeURIComponent(`
  import v8 from "node:v8";
  import vm from "node:vm";
  const { compileFunction } = vm;
  vm.compileFunction = (text, parameters, options) => {
    process.stderr.write("loads " + options.filename + "\\n");
    return compileFunction(text, parameters, options);
  };
  v8.setFlagsFromString = (flag) => process.stderr.write("sets " + flag + "\\n");`)}`;

/** Calls methods of a new process of the built plugin, then Shutdown. Returns status codes and loaded parts. */
async function partsOf(...paths: readonly string[]) {
  const { plugin, client } = await connectPlugin({}, ["--import", trace], built);
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

/** Services of other plugins, which engines call in every process. */
const otherServices = ["/plugin.GRPCStdio/StreamStdio", "/plugin.GRPCBroker/StartStream"];
const unimplemented = 12;

test("the first process of a command, which is asked for the schema, loads no definitions", async () => {
  expect(await partsOf(...otherServices, "/tfplugin6.Provider/GetProviderSchema")).toEqual({
    statuses: [unimplemented, unimplemented, 0],
    parts: ["provider/terraform/constant.ts"],
  });
});

test("a process that is asked to validate loads the definitions", async () => {
  const { statuses, parts } = await partsOf(...otherServices, "/tfplugin6.Provider/ValidateProviderConfig");
  expect(statuses).toEqual([unimplemented, unimplemented, 0]);
  expect(parts).toContain("provider/terraform/rpc/rpc.ts");
});

test("a process that runs on sets V8 flags once it has loaded everything", async () => {
  const { plugin, client } = await connectPlugin({}, ["--import", trace], built);
  const configure = "/tfplugin6.Provider/ConfigureProvider";
  expect((await client.send(configure, [frame(new Uint8Array())])).status).toBe(0);
  await plugin.said("sets --");
  await client.close();
  plugin.process.kill("SIGTERM");
  const { stderr } = await plugin.ended;
  expect(stderr.match(/^(loads|sets) .+$/gm)).toEqual([
    "loads provider/terraform/rpc/rpc.ts",
    "loads provider/platform/undici.ts",
    "loads provider/platform/heap.ts",
    "sets --heap-growing-percent=20",
  ]);
});
