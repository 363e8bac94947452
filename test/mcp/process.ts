import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { program } from "../support/engine/built.ts";
import type { Message, ToolResult } from "./client.ts";

/** Starts the emulator as a process. Returns its variables, and its log of requests. */
export async function startEmulator(args: readonly string[]) {
  const child = spawn(program("kcloud"), ["emulator", "--env", "--verbose", ...args], {
    stdio: ["pipe", "pipe", "pipe"],
  });
  let log = "";
  child.stderr.setEncoding("utf8").on("data", (part: string) => {
    log += part;
  });
  const environment: Record<string, string> = {};
  for await (const line of createInterface({ input: child.stdout })) {
    const [, name = "", value = ""] = /^export (\w+)='(.*)'$/.exec(line) ?? [];
    if (name !== "") environment[name] = value.replaceAll("'\\''", "'");
    // The last line, after all variables.
    if (line.startsWith("# ")) break;
  }
  return { child, environment, log: () => log };
}

/** Starts `kcloud mcp` on standard input and output. Its client fails if the output has anything but messages of the protocol. */
export function startServer(args: readonly string[], environment: NodeJS.ProcessEnv) {
  const child = spawn(program("kcloud"), ["mcp", ...args], {
    env: environment,
    stdio: ["pipe", "pipe", "pipe"],
  });
  const output = { text: "", log: "" };
  const waiting = new Map<number, (message: Message) => void>();
  const notified: Message[] = [];
  createInterface({ input: child.stdout }).on("line", (line) => {
    output.text += `${line}\n`;
    const message = JSON.parse(line) as Message;
    if (message.id === undefined) notified.push(message);
    else waiting.get(message.id)?.(message);
  });
  child.stderr.setEncoding("utf8").on("data", (part: string) => {
    output.log += part;
  });
  let last = 0;
  const ended = once(child, "exit");
  const ask = (method: string, params?: object): Promise<Message> => {
    last += 1;
    const id = last;
    child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`);
    return new Promise((resolve) => waiting.set(id, resolve));
  };
  const call = async (name: string, args = {}, more = {}): Promise<ToolResult> =>
    (await ask("tools/call", { name, arguments: args, ...more })).result as ToolResult;
  return { child, output, notified, ended, ask, call };
}
