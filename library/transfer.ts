import type { Operation } from "../operation/operation.ts";
import type { Client } from "../provider/client/client.ts";
import { InputError } from "../provider/core/error.ts";
import { downloadAddress, upload } from "../resources/wire/object.ts";
import { type CallOptions, prepareCall, withApi } from "./call.ts";
import { contentOf, type UploadContent } from "./content.ts";

/** Uploads and downloads of objects and of results, as streams. */

export interface ObjectTransfers {
  /**
   * Uploads an object, in the way that the API asks for: to a pre-signed URL, or as a form. An upload whose response is lost is repeated, unless a
   * read shows the content.
   */
  upload(arguments_: ObjectUpload, options?: CallOptions): Promise<void>;
  /** Reads the content of an object as a stream, which throws if the content ends early. */
  download(arguments_: ObjectDownload, options?: CallOptions): AsyncIterable<Uint8Array>;
}

export interface ObjectUpload {
  /** ID of the bucket. */
  readonly bucketId: string;
  /** Key of the object. */
  readonly key: string;
  /** Content: bytes, a `Blob`, or an object with the path of a file. */
  readonly content: UploadContent;
  /** Media type of the object, such as `text/plain`. */
  readonly contentType?: string | undefined;
  /** If true, an object of the key is not overwritten. Default: `false`. */
  readonly isNew?: boolean | undefined;
  /** Region of the bucket. Default: the region of the client. */
  readonly region?: string | undefined;
}

export interface ObjectDownload {
  /** ID of the bucket. */
  readonly bucketId: string;
  /** Key of the object. */
  readonly key: string;
  /** Region of the bucket. Default: the region of the client. */
  readonly region?: string | undefined;
}

/** Creates the uploads and downloads of objects. `find` is the operation that returns the URL of a download. */
export function createTransfers(client: Client, find: Operation): ObjectTransfers {
  return {
    async upload({ content: given, contentType, isNew = false, ...at }, options = {}) {
      const { region, inputs } = await prepareCall(client, find, at);
      const [content, problems] = await contentOf(given);
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
      client,
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
    client,
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
