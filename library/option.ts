/** Types that the methods of the client share. */

/** Options of every call. */
export interface CallOptions {
  /** Aborts the call. A request that was sent may have been executed: the error then says so. */
  readonly signal?: AbortSignal | undefined;
  /** Maximum time of the call in ms, with its retries. Default: no limit; a request without any data for 60 s fails. */
  readonly timeoutMs?: number | undefined;
}

/** Options of a wait. */
export interface WaitOptions extends CallOptions {
  /** Maximum time in ms. Default: 600,000, ten minutes. */
  readonly timeoutMs?: number | undefined;
}

/** Content of an upload: bytes, a `Blob`, such as the one of `openAsBlob` of `node:fs`, or a file. */
export type UploadContent = Uint8Array | Blob | { readonly path: string };

/** Response to a listing, and all its rows: `await` returns the first page, `for await` every row of every page. */
export type Paged<A, R> = Promise<A> & AsyncIterable<R>;
