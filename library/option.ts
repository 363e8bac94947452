/** Types that the methods of the client share. */

/** Options of every call. */
export interface CallOptions {
  /**
   * Aborts the call, which then throws the reason of the signal. If a request that changes something was sent and has no response yet, it
   * throws a `CloudError` of the kind `ambiguous` in its place.
   */
  readonly signal?: AbortSignal | undefined;
  /**
   * Maximum time of the call in ms, with its retries. After it, the call throws `StopError`, or a `CloudError` as after `signal`. Default: no
   * limit; a request whose response brings no data for 60 s fails.
   */
  readonly timeoutMs?: number | undefined;
}

/** Options of a wait. */
export interface WaitOptions extends CallOptions {
  /** Maximum time of the wait in ms; after it, the wait throws `FailedError`. Default: 600,000, ten minutes. */
  readonly timeoutMs?: number | undefined;
}

/** Content of an upload: bytes, a `Blob`, such as the one of `openAsBlob` of `node:fs`, or the path of a file. A file is sent in parts. */
export type UploadContent = Uint8Array | Blob | { readonly path: string };

/**
 * Listing: `await` returns the response to one request, the first page, and `for await` every row of every page. Sends nothing before one of the two
 * begins.
 */
export type Paged<A, R> = Promise<A> & AsyncIterable<R>;
