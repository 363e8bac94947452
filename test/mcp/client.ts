import { InMemoryTransport, type Server } from "@modelcontextprotocol/server";
import { accountOf } from "../../mcp/account.ts";
import { objectsIn } from "../../mcp/object/object.ts";
import { createServer, type Offer } from "../../mcp/server.ts";
import type { JsonObject } from "../../mcp/text.ts";
import { readOnly } from "../../provider/engine/engine.ts";
import { type Cloud, openCloud } from "../support/cloud.ts";

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

export async function connect(server: Server): Promise<Client> {
  const [near, far] = InMemoryTransport.createLinkedPair();
  const waiting = new Map<number, (message: Message) => void>();
  const notified: Message[] = [];
  let last = 0;
  near.onmessage = (received) => {
    const message = received as Message;
    if (message.id === undefined) notified.push(message);
    else waiting.get(message.id)?.(message);
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
  await ask("initialize", opening);
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
  const objects = objectsIn(readOnly(session), [given.apiKey]);
  return {
    account: accountOf(async () => ({ opened: objects, given })),
    about: async (): Promise<JsonObject> => ({ address: "http://127.0.0.1:1" }),
    folderTools: [],
    stop: new AbortController().signal,
    log: () => {},
    ...more,
  };
}

/** Connects a client to a server with an account in a new emulator. */
export async function openServer(
  options: Parameters<typeof openCloud> = [{ taskMs: 0 }],
  more: Partial<Offer> = {},
): Promise<{ readonly cloud: Cloud; readonly client: Client }> {
  const cloud = openCloud(...options);
  return { cloud, client: await connect(createServer(offerIn(cloud, more))) };
}
