import { InMemoryTransport, type Server } from "@modelcontextprotocol/server";
import type { EmulatorOptions } from "../../emulator/emulator.ts";
import { customer } from "../../emulator/state/id.ts";
import { accountOf } from "../../mcp/account.ts";
import { objectsIn } from "../../mcp/object/object.ts";
import { createPreviews } from "../../mcp/preview.ts";
import { createServer, type Offer } from "../../mcp/server.ts";
import type { JsonObject } from "../../mcp/text.ts";
import type { Given } from "../../provider/config/config.ts";
import { readOnly } from "../../provider/engine/engine.ts";
import type { Reply, Transport } from "../../provider/platform/ports.ts";
import { type Between, type Cloud, openCloud } from "../support/cloud.ts";

/** Client of the tool server in the same process, which sends messages of the protocol as they are. */

export interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly params?: Readonly<Record<string, unknown>>;
  // biome-ignore lint/suspicious/noExplicitAny: messages of the protocol differ by their method.
  readonly result?: any;
  readonly error?: { readonly code: number; readonly message: string };
}

export interface ToolResult {
  readonly content: readonly { readonly type: string; readonly text: string }[];
  // biome-ignore lint/suspicious/noExplicitAny: the content differs by the tool.
  readonly structuredContent: any;
  readonly isError?: boolean;
}

export interface Client {
  /** Notifications of the server, oldest first. */
  readonly notified: Message[];
  /** Sends a request and returns the response. */
  ask(method: string, params?: object): Promise<Message>;
  /** Sends a notification. */
  tell(method: string, params?: object): Promise<void>;
  /** Calls a tool. */
  call(name: string, args?: object, more?: object): Promise<ToolResult>;
  /** Id of the last request. */
  lastId(): number;
  close(): Promise<void>;
}

export const clientInfo = { name: "test", version: "1" };
export const opening = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo };

/** Capabilities of a client, and its answers to the questions of the server. */
export interface Answering {
  readonly capabilities?: object;
  /** Returns the result of a question; undefined to answer nothing. */
  answer?(params: Message["params"]): object | undefined | Promise<object | undefined>;
}

export async function connect(
  server: Server,
  { capabilities = {}, answer }: Answering = {},
): Promise<Client> {
  const [near, far] = InMemoryTransport.createLinkedPair();
  const waiting = new Map<number, (message: Message) => void>();
  const notified: Message[] = [];
  let last = 0;
  near.onmessage = (received) => {
    const message = received as Message;
    if (message.id === undefined) notified.push(message);
    else if (message.method === undefined) waiting.get(message.id)?.(message);
    else
      void Promise.resolve(answer?.(message.params)).then((result) =>
        result === undefined ? undefined : send({ id: message.id, result }),
      );
  };
  await Promise.all([near.start(), server.connect(far)]);
  const send = (message: object) => near.send({ jsonrpc: "2.0", ...message } as never);
  const ask: Client["ask"] = (method, params) => {
    last += 1;
    const id = last;
    return new Promise((resolve, reject) => {
      waiting.set(id, resolve);
      send({ id, method, params }).catch(reject);
    });
  };
  await ask("initialize", { ...opening, capabilities });
  await send({ method: "notifications/initialized" });
  return {
    notified,
    ask,
    tell: (method, params) => send({ method, params }),
    async call(name, args = {}, more = {}) {
      const { result, error } = await ask("tools/call", { name, arguments: args, ...more });
      if (error !== undefined) throw new Error(error.message);
      return result as ToolResult;
    },
    lastId: () => last,
    close: () => near.close(),
  };
}

/** Returns the offer of a server whose account is in an emulator. */
export function offerIn({ session }: Pick<Cloud, "session">, more: Partial<Offer> = {}): Offer {
  const given = { apiKey: "emulator-key" };
  const rights = { allowsWrites: more.previews !== undefined, log: more.log ?? (() => {}) };
  const objects = objectsIn(readOnly(session), [given.apiKey], rights);
  return {
    account: accountOf(async () => ({ opened: objects, given })),
    about: async (): Promise<JsonObject> => ({ address: "http://127.0.0.1:1" }),
    folderTools: [],
    previews: undefined,
    stop: new AbortController().signal,
    log: () => {},
    ...more,
  };
}

/** Connects a client to a server that may change an account in a new emulator. Calls advance the clock until they end. */
export async function openWriter(
  emulator: EmulatorOptions = {},
  given: Given = {},
  {
    between,
    more,
    client: answering,
  }: {
    readonly between?: Between;
    readonly more?: Partial<Offer>;
    readonly client?: Answering;
  } = {},
) {
  const settings = {
    ...{ accessKey: "emulator-access-key", secretKey: "emulator-secret-key", user: "someone" },
    ...{ customerId: customer, otpRequired: false },
    ...given,
  };
  const cloud = openCloud({ taskMs: 0, assume: { podRead: "pod" }, ...emulator }, settings, between);
  const previews = createPreviews(() => cloud.session.ports.clock.monotonic());
  const client = await connect(createServer(offerIn(cloud, { previews, ...more })), answering);
  return {
    cloud,
    client,
    /** Calls a tool, and returns its structured content. */
    call: async (tool: string, args: object = {}): Promise<Content> => {
      const result = await cloud.run(client.call(tool, args));
      return result.structuredContent;
    },
  };
}

// biome-ignore lint/suspicious/noExplicitAny: the content differs by the tool.
export type Content = any;

/** Connects a client to a server with an account in a new emulator. */
export async function openServer(
  options: Parameters<typeof openCloud> = [{ taskMs: 0 }],
  more: Partial<Offer> = {},
): Promise<{ readonly cloud: Cloud; readonly client: Client }> {
  const cloud = openCloud(...options);
  return { cloud, client: await connect(createServer(offerIn(cloud, more))) };
}

/** Returns a transport whose responses are changed. */
export const changing =
  (change: (reply: Reply & { readonly kind: "answer" }) => Reply) =>
  (transport: Transport): Transport => ({
    async send(request, signal) {
      const reply = await transport.send(request, signal);
      return reply.kind === "answer" ? change(reply) : reply;
    },
  });
