import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { credentials } from "@grpc/grpc-js";
import { expect, test } from "@jest/globals";
import plugin from "@pulumi/pulumi/proto/plugin_pb.js";
import service from "@pulumi/pulumi/proto/provider_grpc_pb.js";
import proto from "@pulumi/pulumi/proto/provider_pb.js";
import empty from "google-protobuf/google/protobuf/empty_pb.js";
import { createEmulator } from "../../emulator/emulator.ts";
import { call, failureOf, type Properties, toStruct, typeOf, urnOf } from "../../tools/plugin/pulumi.ts";
import { traceLoads } from "../support/trace-loads.ts";

/** The plugin as a process, built or run from its sources: its output and its exit. */

const built = [fileURLToPath(new URL("../../dist/pulumi-resource-kcloud", import.meta.url))];
const sources = [
  process.execPath,
  fileURLToPath(new URL("../../provider/pulumi/plugin/main.ts", import.meta.url)),
];

function start([command = "", ...args]: string[], ...engine: string[]) {
  const child = spawn(command, [...args, ...engine], { stdio: ["ignore", "pipe", "pipe"] });
  const printed: string[] = [];
  child.stderr.on("data", (part) => printed.push(`stderr: ${part}`));
  const lines = createInterface(child.stdout).on("line", (line) => printed.push(line));
  return { child, printed, first: once(lines, "line").then(([line]) => String(line)) };
}

const ended = async (child: ChildProcess): Promise<number | null> => (await once(child, "exit"))[0];

test.each([
  ["built", built],
  ["from its sources", sources],
])(
  "the plugin %s prints its port and nothing else, serves calls, and exits on SIGINT",
  async (_, command) => {
    const { child, printed, first } = start(command, "127.0.0.1:1");
    const port = await first;
    const client = new service.ResourceProviderClient(`127.0.0.1:${port}`, credentials.createInsecure());
    const info = await call(client, client.getPluginInfo, new empty.Empty());
    expect(info).toBeInstanceOf(plugin.PluginInfo);
    await call(client, client.cancel, new empty.Empty());
    const began = performance.now();
    child.kill("SIGINT");
    expect(await ended(child)).toBe(0);
    expect(performance.now() - began).toBeLessThan(30_000);
    client.close();
    expect(printed).toEqual([port]);
  },
);

test("signals that Pulumi survives do not end its plugin, and open no inspector", async () => {
  const { child, printed, first } = start(sources, "127.0.0.1:1");
  const port = await first;
  const client = new service.ResourceProviderClient(`127.0.0.1:${port}`, credentials.createInsecure());
  for (const signal of ["SIGHUP", "SIGQUIT", "SIGUSR1", "SIGUSR2", "SIGALRM", "SIGXCPU"] as const) {
    child.kill(signal);
    expect(await call(client, client.getPluginInfo, new empty.Empty())).toBeInstanceOf(plugin.PluginInfo);
  }
  client.close();
  child.kill("SIGINT");
  expect(await ended(child)).toBe(0);
  expect(printed).toEqual([port]);
});

test.each(["SIGHUP", "SIGQUIT", "SIGINT", "SIGTERM"] as const)(
  "%s ends a plugin that waits for an engine to attach",
  async (signal) => {
    const { child, first } = start(sources);
    await first;
    child.kill(signal);
    expect(await ended(child)).toBe(0);
  },
);

test.each([
  ["SIGTERM", "built", built],
  ["SIGTERM", "from its sources", sources],
  ["SIGINT", "from its sources", sources],
] as const)(
  "after %s to the plugin %s alone, the calls in progress return their objects to the engine",
  async (signal, _, command) => {
    const emulator = createEmulator({ taskMs: 0 });
    const { url, close } = await emulator.listen();
    const { child, first } = start([...command], "127.0.0.1:1");
    const client = new service.ResourceProviderClient(
      `127.0.0.1:${await first}`,
      credentials.createInsecure(),
    );
    const settings = toStruct({ baseUrl: url, apiKey: "emulator-key", region: "In-Bangalore-1" });
    await call(client, client.configure, new proto.ConfigureRequest().setArgs(settings));
    const create = async (type: string, news: Properties) => {
      const [urn, name] = [urnOf(type, String(news.name)), String(news.name)];
      const checkRequest = new proto.CheckRequest().setUrn(urn).setName(name).setType(typeOf(type));
      const checked = await call(client, client.check, checkRequest.setNews(toStruct(news)));
      const request = new proto.CreateRequest().setUrn(urn).setName(name).setType(typeOf(type));
      return call(client, client.create, request.setProperties(checked.getInputs()));
    };
    const vpcId = (await create("Vpc", { name: "net" })).getId();
    emulator.configure({ taskMs: 600_000 });
    const names = ["one", "two", "three"];
    const failures = names.map((name) =>
      failureOf(create("Volume", { vpcId, name, sizeGb: 10, volumeType: "ssd" })),
    );
    const until = async (is: () => boolean) => {
      while (!is()) await new Promise((resolve) => setTimeout(resolve, 20));
    };
    const { entries, count } = emulator.log;
    const isAnswered = () =>
      entries({ operation: "create_volume" }).filter(({ outcome }) => outcome !== undefined).length ===
      names.length;
    await until(isAnswered);
    // The waits for the objects begin after the responses.
    const listings = count({ operation: "list_volumes" });
    await until(() => count({ operation: "list_volumes" }) > listings);
    child.kill(signal);
    const partial = (await Promise.all(failures)).map((failure) => failure.partial);
    client.close();
    await ended(child);
    await close();
    expect(partial.map((one) => one?.properties.name)).toEqual(names);
    expect(partial.map((one) => one?.id)).toEqual(names.map(() => expect.stringMatching(/./)));
  },
);

test("the built plugin runs from its code cache", async () => {
  const { child, printed, first } = start(
    [process.execPath, "--import", traceLoads, ...built],
    "127.0.0.1:1",
  );
  await first;
  child.kill("SIGINT");
  expect(await ended(child)).toBe(0);
  expect(printed).toContain("stderr: loads provider/pulumi/plugin/process.ts, cached\n");
});

test("a plugin whose engine was killed exits", async () => {
  const engine = `
    const { spawn } = require("node:child_process");
    const child = spawn(${JSON.stringify(built[0])}, ["127.0.0.1:1"], { stdio: ["ignore", "pipe", "inherit"] });
    child.stdout.once("data", () => console.log(child.pid));
    setInterval(() => {}, 1000);
  `;
  const killed = spawn(process.execPath, ["-e", engine], { stdio: ["ignore", "pipe", "inherit"] });
  const [line] = await once(createInterface(killed.stdout), "line");
  killed.kill("SIGKILL");
  await ended(killed);
  const began = performance.now();
  while (isAlive(Number(line)) && performance.now() - began < 60_000)
    await new Promise((resolve) => setTimeout(resolve, 20));
  expect(isAlive(Number(line))).toBe(false);
});

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
