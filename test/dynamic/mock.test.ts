import { afterAll, expect, test } from "@jest/globals";
import * as pulumi from "@pulumi/pulumi";
import { createEmulator } from "../../emulator/emulator.ts";
import { invoke, invokeOutput } from "../../provider/dynamic/class/invoke.ts";

/** Functions of the dynamic classes in a unit test of a user's program, which sets mocks. */

const emulator = createEmulator();
const { url, close } = await emulator.listen();
afterAll(close);
Object.assign(process.env, {
  SERVICE_BASE_URL: url,
  SERVICE_API_KEY: "emulator-key",
  SERVICE_REGION: "In-Bangalore-1",
});

test("with mocks, a lookup returns their result and sends no request; a pure function needs no mock", async () => {
  const asked: pulumi.runtime.MockCallArgs[] = [];
  await pulumi.runtime.setMocks(
    {
      newResource: ({ name, inputs }) => ({ id: `${name}-id`, state: inputs }),
      call: (args) => {
        asked.push(args);
        return { id: "krn:mock", name: args.inputs.name };
      },
    },
    "proj",
    "dev",
  );
  expect(await invoke("Vpc", { name: "net" })).toEqual({ id: "krn:mock", name: "net" });
  const output = invokeOutput<{ id: string }>("Vpc", { name: pulumi.output("other") }, undefined);
  expect(await new Promise((resolve) => output.apply(resolve))).toEqual({ id: "krn:mock", name: "other" });
  expect(asked.map(({ token, inputs }) => [token, inputs])).toEqual([
    ["kcloud:index:getVpc", { name: "net" }],
    ["kcloud:index:getVpc", { name: "other" }],
  ]);
  const args = { range: "10.0.0.0/16", prefixes: [24] };
  expect(await invoke("subnets", args)).toEqual({ result: ["10.0.0.0/24"] });
  expect(emulator.log.entries()).toEqual([]);
});
