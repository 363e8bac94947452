import type { ByteStream, Receive } from "../platform/ports.ts";
import type { Content } from "./content.ts";
import type { Endpoint } from "./endpoint.ts";

/** The cloud, bound to one operation: its region, its deadline, its log. */
export interface Api {
  /** What the cloud's sources disagree about, as it was configured. */
  readonly switches: Switches;
  /** The account that object storage is asked for, where it is configured. */
  readonly account: string | undefined;
  /** The access key in whose session the provider itself reads and writes objects. */
  readonly accessKey: string | undefined;
  /** The customer's UUID, where it is configured or an answer told it (docs/contract.md#1.4). */
  customer(): string | undefined;
  /** Sends it. Throws `CloudError` for whatever is not the promised answer. */
  send<A>(endpoint: Endpoint<A>, call?: ApiCall): Promise<A>;
  /** Reads one object by its id: `undefined` when the cloud answers 404, which alone proves nothing yet. */
  find<A>(endpoint: Endpoint<A>, call?: ApiCall): Promise<A | undefined>;
  /** Bytes to and from the pre-signed addresses that the cloud gives. */
  readonly transfer: Transfer;
}

/** How far a request got that may change something. */
export interface RequestTracker {
  /** One has left, and no answer said that it did nothing. */
  sent: boolean;
}

/** A form with one file, as `multipart/form-data`. */
export interface Form {
  readonly fields: Readonly<Record<string, string>>;
  readonly file: { readonly name: string; readonly content: Content; readonly type?: string | undefined };
}

/** What goes into a request: values for its path, its query, its headers, its body. `undefined` is left out. */
export interface ApiCall {
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>>;
  readonly headers?: Readonly<Record<string, string | undefined>>;
  readonly body?: object;
  /** A form in the place of a body: its fields, and a file as its last. */
  readonly form?: Form;
}

/**
 * Bytes to and from pre-signed addresses: the only requests to a host that is not the cloud's (design promise 8). None
 * of our credentials goes there, no redirect is followed, and no text ever holds an address: whoever has it may use it.
 */
export interface Transfer {
  /** Sends all of it, once. Throws `CloudError`, what the content throws, or the signal's reason. */
  put(address: string, content: ByteStream, type?: string): Promise<void>;
  /** Gives what is there to `receive`, as it comes. Throws also for a body that breaks off, and what `receive` throws. */
  get(address: string, receive: Receive): Promise<void>;
}

/** What the cloud's sources disagree about, for whoever sends it (docs/contract.md#16 and docs/contract.md#17). */
export interface Switches {
  readonly floatingIpAttachOrder: "holder-first" | "target-first";
  readonly ipVersionForm: "mixed" | "string" | "integer";
  readonly userDataAsWritten: boolean;
  /** With `{pod}` for its id. */
  readonly podReadPath: string;
}
