import { PassThrough } from "node:stream";
import { expect, test } from "@jest/globals";
import { serveOnStdio } from "../../mcp/stdio.ts";
import { openCloud } from "../support/cloud.ts";
import { offerIn, opening } from "./client.ts";

/** Starts a server on streams. */
function start(stop = new AbortController().signal) {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const lines: string[] = [];
  const offer = offerIn(openCloud(), { stop, log: (line) => void lines.push(line) });
  const ended = serveOnStdio({ offer, input: input as never, output: output as never });
  let text = "";
  output.setEncoding("utf8").on("data", (part: string) => {
    text += part;
  });
  const messages = () => text.split("\n").filter(Boolean);
  return { input, ended, lines, messages };
}

const line = (message: object) => `${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`;

const until = async (isDone: () => boolean) => {
  while (!isDone()) await new Promise((resolve) => setImmediate(resolve));
};

test("the output has messages of the protocol only, and the server ends when the input ends", async () => {
  const { input, ended, messages } = start();
  input.write(line({ id: 1, method: "initialize", params: opening }));
  input.write(line({ id: 2, method: "ping" }));
  input.write("no JSON\n");
  input.write(line({ id: 3, method: "tools/list" }));
  await until(() => messages().length === 3);
  expect(messages().map((one) => JSON.parse(one).id)).toEqual([1, 2, 3]);
  input.end();
  expect(await ended).toBe(true);
});

test("a message that is too large ends the connection, and is logged", async () => {
  const { input, ended, lines } = start();
  input.write("x".repeat(5 * 1024 * 1024));
  expect(await ended).toBe(false);
  expect(lines.join()).toMatch(/maximum|exceed/i);
});

test("the server ends at a signal of the process", async () => {
  const stop = new AbortController();
  const { ended } = start(stop.signal);
  stop.abort();
  expect(await ended).toBe(true);
  const late = start(stop.signal);
  await late.ended;
});
