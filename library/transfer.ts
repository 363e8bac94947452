import type { Operation } from "../operation/operation.ts";
import type { Client } from "../provider/client/client.ts";
import { InputError } from "../provider/core/error.ts";
import { downloadAddress, upload } from "../resources/wire/object.ts";
import { prepareCall, withApi, withRedaction } from "./call.ts";
import { contentOf } from "./content.ts";
import type { ObjectDownload, ObjectTransfers } from "./method.ts";
import type { CallOptions } from "./option.ts";

/** Uploads and downloads of objects and of results, as streams. */

/** Creates the uploads and downloads of objects. `find` is the operation that returns the URL of a download. */
export function createTransfers(client: Client, find: Operation): ObjectTransfers {
  return {
    async upload({ content: source, contentType, isNew = false, ...at }, options = {}) {
      const { region, inputs } = await prepareCall(client, find, at);
      const [content, problems] = await contentOf(source);
      if (content === undefined) throw new InputError(problems);
      const { bucketId: bucket, key } = inputs as unknown as ObjectDownload;
      const wanted = { bucket, key, content, type: contentType, isNew };
      await withApi(client, region, options, (api) => upload(api, wanted), `the upload of ${key}`);
    },
    download: (at, options = {}) =>
      streamed(async (receive, signal) => {
        const { region, inputs } = await prepareCall(client, find, at);
        const { bucketId, key } = inputs as unknown as ObjectDownload;
        await withApi(
          client,
          region,
          { ...options, signal },
          async (api) => api.transfer.get(await downloadAddress(api, bucketId, key), receive),
          `the download of ${key}`,
        );
      }, options.signal),
  };
}

/** Reads the bytes at a pre-signed URL as a stream. */
export const downloadFrom = (
  client: Client,
  operation: Operation,
  written: unknown,
  options: CallOptions = {},
): AsyncIterable<Uint8Array> =>
  streamed(async (receive, signal) => {
    const { inputs, endpoint } = await prepareCall(client, operation, written);
    await withApi(
      withRedaction(client, operation, inputs),
      "",
      { ...options, signal },
      (api) => api.transfer.get(String(inputs.address), receive),
      `${endpoint.method} ${endpoint.path}`,
    );
  }, options.signal);

/** Sends bytes to a pre-signed URL. */
export async function uploadTo(
  client: Client,
  operation: Operation,
  written: unknown,
  options: CallOptions = {},
): Promise<void> {
  const { inputs, content, endpoint } = await prepareCall(client, operation, written);
  if (content === undefined) throw new InputError([{ path: ["content"], problem: "is required" }]);
  const { address, contentType, isNew } = inputs as unknown as {
    readonly address: string;
    readonly contentType?: string;
    readonly isNew: boolean;
  };
  await withApi(
    withRedaction(client, operation, inputs),
    "",
    options,
    (api) => api.transfer.put(address, content, { type: contentType, isNew }),
    `${endpoint.method} ${endpoint.path}`,
  );
}

/** Returns what `run` receives as a stream. The next part is received when the last one was read; leaving the loop ends `run`. */
async function* streamed(
  run: (receive: (part: Uint8Array) => Promise<void>, signal: AbortSignal) => Promise<void>,
  outer: AbortSignal | undefined,
): AsyncGenerator<Uint8Array> {
  const left = new AbortController();
  const signal = outer === undefined ? left.signal : AbortSignal.any([outer, left.signal]);
  let offered = Promise.withResolvers<Uint8Array | undefined>();
  let taken = Promise.withResolvers<void>();
  const whole = run(async (part) => {
    offered.resolve(part);
    await taken.promise;
  }, signal).then(
    () => offered.resolve(undefined),
    (error) => offered.reject(error),
  );
  try {
    for (;;) {
      const part = await offered.promise;
      if (part === undefined) return;
      yield part;
      outer?.throwIfAborted();
      const last = taken;
      offered = Promise.withResolvers();
      taken = Promise.withResolvers();
      last.resolve();
    }
  } finally {
    left.abort("over");
    offered.promise.catch(() => {});
    taken.resolve();
    await whole;
  }
}
