import { StdioServerTransport, serveStdio } from "@modelcontextprotocol/server/stdio";
import { createServer, type Offer } from "./server.ts";

/** Serves one client on standard input and output. */

/** Maximum size of a message in bytes. */
const mostBytes = 4 * 1024 * 1024;

export interface StdioOptions {
  readonly offer: Offer;
  readonly input: NodeJS.ReadStream;
  readonly output: NodeJS.WriteStream;
}

/** Serves until the client closes the input, or `offer.stop` aborts. Returns false if an error ended it, such as a message that is too large. */
export function serveOnStdio({ offer, input, output }: StdioOptions): Promise<boolean> {
  const transport = new StdioServerTransport(input, output, { maxBufferSize: mostBytes });
  const handle = serveStdio(() => createServer(offer), {
    transport,
    onerror: ({ message }) => offer.log(message),
  });
  return new Promise((resolve) => {
    const { onclose } = transport;
    transport.onclose = () => {
      onclose?.();
      resolve(input.readableEnded || offer.stop.aborted);
    };
    const close = () => void handle.close();
    if (offer.stop.aborted) close();
    else offer.stop.addEventListener("abort", close, { once: true });
  });
}
