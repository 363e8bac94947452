import type { ByteStream, Receive } from "../platform/ports.ts";
import type { Content } from "./content.ts";
import type { Endpoint } from "./endpoint.ts";

/** API client of one operation, bound to its region, its deadline and the stop of the engine. */
export interface Api {
  /** Settings for details of requests on which the sources of the contract disagree. */
  readonly switches: Switches;
  /** Account number for requests to object storage, if configured. */
  readonly account: string | undefined;
  /** Access key of the session in which the provider reads and writes objects, if configured. */
  readonly accessKey: string | undefined;
  /** Returns the UUID of the customer, if it is configured or was found in a response (docs/contract.md#1.4). */
  customer(): string | undefined;
  /** Sends a request. Throws `CloudError` for any response other than a 2xx that matches the schema of the endpoint. */
  send<A, P extends string, B extends object>(endpoint: Endpoint<A, P, B>, ...call: CallOf<P, B>): Promise<A>;
  /**
   * Reads one object by its id. Returns undefined for a 404, which alone does not prove that the object is gone.
   */
  find<A, P extends string, B extends object>(
    endpoint: Endpoint<A, P, B>,
    ...call: CallOf<P, B>
  ): Promise<A | undefined>;
  /** Uploads and downloads at the pre-signed URLs that the API returns. */
  readonly transfer: Transfer;
}

/** Record of the requests that an operation sent, for errors that state whether something may have changed. */
export interface RequestTracker {
  /** True once a request was sent that may have changed something, unless its response proves that it was not executed. */
  sent: boolean;
  /** Time of the first such request in ms since 1970, by the clock of the API; undefined if that is not known. */
  sentAt?: number | undefined;
  /** True once any request was sent, including reads. */
  asked?: boolean;
  /** True once a request was sent that must not be repeated: any other than a read, an update or a delete by id. */
  acted?: boolean;
  /** Set if the operation searches for the object before it repeats a create after a 404 or a 429. */
  readonly searches?: true;
}

/** Form with at most one file, as `multipart/form-data`. */
export interface Form {
  readonly fields: Readonly<Record<string, string>>;
  readonly file?: {
    /** Name of the field with the file. Default: "file". */
    readonly field?: string;
    readonly name: string;
    readonly content: Content;
    readonly type?: string | undefined;
  };
}

/** Field of a JSON body with content in Base64. */
export interface BodyContent {
  readonly field: string;
  readonly bytes: ByteStream;
}

/** Contents of a request: values for its path, query, headers and body. `undefined` values are left out. */
export interface ApiCall {
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>>;
  readonly headers?: Readonly<Record<string, string | undefined>>;
  readonly body?: object;
  /** Content for a Base64 field of the body, which is encoded while it is sent. */
  readonly content?: BodyContent;
  /** Form instead of a body: its fields, then its file. */
  readonly form?: Form;
  /** Attribute by the field of the body that contains it: a rejection that names the field is reported at the attribute. */
  readonly attributes?: Readonly<Record<string, string>>;
}

/** Contents of a request to an endpoint: a value for each parameter of its path, and a body of the declared type. */
type CallTo<P extends string, B extends object> = Omit<ApiCall, "path" | "body"> &
  ([P] extends [never] ? unknown : { readonly path: { readonly [N in P]: string } }) &
  (object extends B ? { readonly body?: B } : { readonly body: B });

/** Contents of a request as a parameter, which is optional if the endpoint requires none. */
export type CallOf<P extends string, B extends object> = [P, object] extends [never, B]
  ? [call?: CallTo<P, B>]
  : [call: CallTo<P, B>];

/** Options of an upload. */
export interface UploadOptions {
  /** Media type. */
  readonly type?: string | undefined;
  /** True to upload only if the key has no object. */
  readonly isNew?: boolean | undefined;
}

/**
 * Uploads and downloads at pre-signed URLs: the only requests to hosts other than the API. They contain no credential of
 * the provider, and redirects are not followed. No message contains the URL, because the URL grants access.
 */
export interface Transfer {
  /**
   * Uploads the content; repeats the request only after a 429. Throws `CloudError`, the error of the content, or the
   * signal's reason. With `isNew`, an existing object of that key causes a conflict, if the storage supports the condition.
   */
  put(address: string, content: ByteStream, options?: UploadOptions): Promise<void>;
  /**
   * Downloads the content and passes its parts to `receive`. Throws `CloudError`, also for a truncated body, the error of
   * `receive`, or the signal's reason.
   */
  get(address: string, receive: Receive): Promise<void>;
}

/**
 * Settings for details of requests on which the sources of the contract disagree (docs/contract.md#16 and
 * docs/contract.md#17).
 */
export interface Switches {
  readonly floatingIpAttachOrder: "holder-first" | "target-first";
  readonly ipVersionForm: "mixed" | "string" | "integer";
  readonly userDataAsWritten: boolean;
  /** Path with `{pod}` in place of the id. */
  readonly podReadPath: string;
  /** Path before `/v1/inference`; empty by default. */
  readonly inferencePathPrefix: string;
}
