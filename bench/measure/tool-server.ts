import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { request } from "undici";
import { engine, openSession } from "../../provider/engine/engine.ts";
import { realPorts } from "../../provider/platform/real-ports.ts";
import { resources } from "../../resources/index.ts";
import { interleave, type Measure, ratio } from "../measure.ts";
import { root } from "../plugin.ts";
import { untilExit } from "../process.ts";

const kcloud = join(root, "dist/kcloud");
const key = "emulator-key";
const initialize = {
  ...{ jsonrpc: "2.0", id: 1, method: "initialize" },
  params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "bench", version: "1" } },
};

/** Request in the log of the emulator. */
interface Logged {
  readonly method: "POST";
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly body: unknown;
}

/** Returns the time in ms from the start of the server to its first answer on standard output. */
async function untilAnswer(): Promise<number> {
  const began = performance.now();
  const child = spawn(process.execPath, [kcloud, "mcp"], { stdio: ["pipe", "pipe", "ignore"] });
  child.stdin.write(`${JSON.stringify(initialize)}\n`);
  await once(createInterface(child.stdout), "line");
  const took = performance.now() - began;
  child.stdin.end();
  await once(child, "exit");
  return took;
}

/** Time of the start of `kcloud mcp`, and of a tool call that sends one request, over HTTP. */
export const toolServer: Measure = {
  name: "tool-server",
  about: "start and tool calls of kcloud mcp",
  async run(bench) {
    const { execPath: node } = process;
    const starts = await interleave(bench.rounds(25), {
      floor: () => untilExit(node, ["-e", "0"]),
      answer: untilAnswer,
    });
    bench.report(
      { what: "tool server: start to its first answer", unit: "ms", samples: starts.answer, goal: undefined },
      {
        what: "tool server: start to its first answer ÷ `node -e 0`",
        unit: "×",
        samples: ratio(starts.answer, starts.floor),
        goal: 2.5,
      },
    );
    // A process of its own, as the cloud is none of the client's either.
    const cloud = spawn(node, [kcloud, "emulator", "--task-ms", "0"], {
      stdio: ["ignore", "pipe", "ignore"],
    });
    const [first] = await once(createInterface(cloud.stdout), "line");
    const [cloudUrl = ""] = /http:\/\/\S+/.exec(first) ?? [];
    const child = spawn(node, [kcloud, "mcp", "--http", "0"], {
      env: {
        ...process.env,
        ...{ SERVICE_BASE_URL: cloudUrl, SERVICE_REGION: "In-Bangalore-1" },
        SERVICE_MAX_REQUESTS_PER_SECOND: "0",
      },
      stdio: ["ignore", "ignore", "pipe"],
    });
    try {
      const [line] = await once(createInterface(child.stderr), "line");
      const [, url = ""] = /serves (\S+) with/.exec(line) ?? [];
      const headers = {
        authorization: `Bearer ${key}`,
        ...{ accept: "application/json, text/event-stream", "content-type": "application/json" },
      };
      const send = async (message: object, more = {}) => {
        const body = JSON.stringify(message);
        const response = await request(url, { method: "POST", headers: { ...headers, ...more }, body });
        const text = await response.body.text();
        return { session: String(response.headers["mcp-session-id"]), text };
      };
      const { session } = await send(initialize);
      const call = async (id: number, name: string, args: object) => {
        const message = { jsonrpc: "2.0", id, method: "tools/call", params: { name, arguments: args } };
        const { text } = await send(message, { "mcp-session-id": session });
        return JSON.parse(/^data: (.*)$/m.exec(text)?.[1] ?? text).result.structuredContent;
      };
      const vpc = resources.find(({ name }) => name === "vpc");
      if (vpc === undefined) throw new Error("no resource vpc");
      const given = { baseUrl: cloudUrl, apiKey: key, region: "In-Bangalore-1" };
      const { inputs } = engine.check(vpc, { name: "net" });
      await engine.create(openSession(given, realPorts), vpc, inputs, { stop: new AbortController().signal });
      const { objects } = await call(2, "list_objects", { kind: "vpc" });
      const attributes = { id: objects[0].id };
      await call(3, "get_object", { kind: "vpc", attributes });
      const log = await request(`${cloudUrl}/_emulator/log`);
      const read = ((await log.body.json()) as Logged[]).at(-1);
      if (read === undefined) throw new Error("the call sent no request");
      const address = `${cloudUrl}${read.path}?${new URLSearchParams(read.query)}`;
      const same = {
        method: read.method,
        headers: { ...headers, "x-region": "In-Bangalore-1" },
        body: JSON.stringify(read.body),
      };
      let id = 4;
      const calls = await interleave(bench.rounds(400), {
        async bare() {
          const began = performance.now();
          const response = await request(address, same);
          await response.body.text();
          if (response.statusCode !== 200) throw new Error(`${address} answers ${response.statusCode}`);
          return performance.now() - began;
        },
        async tool() {
          const began = performance.now();
          id += 1;
          const { object } = await call(id, "get_object", { kind: "vpc", attributes });
          if (object.id !== attributes.id) throw new Error("the call returned another object");
          return performance.now() - began;
        },
      });
      bench.report(
        { what: "tool server: bare request of undici", unit: "ms", samples: calls.bare, goal: undefined },
        { what: "tool server: get_object over HTTP", unit: "ms", samples: calls.tool, goal: undefined },
        {
          what: "tool server: get_object over HTTP ÷ bare request",
          unit: "×",
          samples: ratio(calls.tool, calls.bare),
          goal: 4,
        },
      );
    } finally {
      child.kill();
      cloud.kill();
    }
  },
};
