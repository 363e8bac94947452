import { afterEach, expect, test } from "@jest/globals";
import { frame } from "../../provider/terraform/transport/grpc.ts";
import { connectPlugin, endPlugins } from "../support/engine/plugin.ts";
import { plugin as built } from "../support/engine/terraform.ts";

/** Parts of the built plugin that a process loads. */

afterEach(endPlugins);

/** Module for `--import` that writes the name of each part to standard error when the part is loaded. */
const traceParts = `data:text/javascript,${encodeURIComponent(`
  import vm from "node:vm";
  const { compileFunction } = vm;
  vm.compileFunction = (text, parameters, options) => {
    process.stderr.write("loads " + options.filename + "\\n");
    return compileFunction(text, parameters, options);
  };`)}`;

/** Calls methods of a new process of the built plugin, then Shutdown. Returns status codes and loaded parts. */
async function partsOf(...paths: readonly string[]) {
  const { plugin, client } = await connectPlugin({}, ["--import", traceParts], built);
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
