import { within } from "./patience.ts";
import type { ByteStream, Clock, Receive, Reply, Transport, WireRequest } from "./ports.ts";

/**
 * Sends a request of which parts may go and come for long: as long as they do, it is not given up. What fails on this
 * side of it, in what is sent or in who takes what comes, breaks the connection off and is thrown.
 *
 * @param leaving is told as it goes
 */
export async function carry(
  transport: Transport,
  clock: Clock,
  request: WireRequest,
  signal: AbortSignal,
  leaving: () => void = () => {},
): Promise<Reply> {
  const ours: Fault = {};
  const reply = await within(clock, signal, (limit, moved) => {
    leaving();
    return transport.send(attended(request, { moved, ours }), limit);
  });
  if ("error" in ours) throw ours.error;
  return reply;
}

/** What failed on this side. */
interface Fault {
  error?: unknown;
}

interface Watch {
  readonly moved: () => void;
  readonly ours: Fault;
}

function attended(request: WireRequest, watch: Watch): WireRequest {
  const { stream, receive } = request;
  if (stream === undefined && receive === undefined) return request;
  return {
    ...request,
    ...(stream === undefined ? {} : { stream: { size: stream.size, read: () => parts(stream, watch) } }),
    ...(receive === undefined ? {} : { receive: (part) => taken(receive, part, watch) }),
  };
}

async function* parts({ read }: ByteStream, { moved, ours }: Watch): AsyncGenerator<Uint8Array> {
  try {
    for await (const part of read()) {
      moved();
      yield part;
    }
  } catch (error) {
    ours.error = error;
    throw error;
  }
}

function taken(receive: Receive, part: Uint8Array, { moved, ours }: Watch): void | Promise<void> {
  const note = (error: unknown): never => {
    ours.error = error;
    throw error;
  };
  moved();
  try {
    return receive(part)?.catch(note);
  } catch (error) {
    return note(error);
  }
}
