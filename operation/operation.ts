import * as z from "zod/mini";
import type { Api, ApiCall, CallOf } from "../provider/definition/api.ts";
import type { Content } from "../provider/definition/content.ts";
import type { Endpoint, Semantics } from "../provider/definition/endpoint.ts";
import { type Fields, field } from "../provider/definition/field.ts";
import type { Inputs } from "../provider/definition/inference.ts";
import type { Rule } from "../provider/definition/resource.ts";
import { text } from "../provider/definition/validator.ts";
import { type Alternatives, alternativesRule } from "./alternative.ts";
import { answerOf } from "./answer.ts";

/**
 * Rows of the table of operations. A row adds to the endpoint of a request what people and programs that call the operation
 * need: a description, parameters with types, the request that they make, and the section of the contract.
 */

/** Context of a request, from the settings of the caller. */
export type RequestContext = Pick<Api, "switches" | "account"> & {
  readonly region: string;
  /** UUID of the customer, if a setting or a response has it. */
  readonly customer?: string | undefined;
  /** Content that the operation sends, if it has some. */
  readonly content?: Content | undefined;
};

/** Pages of a listing: names of its parameters, and where the rows are in the response. */
export interface Listing {
  /** Names of the fields of the response of which one contains the rows. The response may also be the list of rows itself. */
  readonly rows: readonly string[];
  /** Parameter with the number of the page, beginning with 1, or with the number of rows before the page. */
  readonly page?: { readonly number: string } | { readonly offset: string };
  /** Parameter with the number of rows of a page. */
  readonly size?: string;
  /** Schema of a row, for a response that may be too large for one text: an iteration reads it row by row. */
  readonly row?: z.ZodMiniType;
}

/** Operation of the API: a row of the table. */
export interface Operation {
  readonly endpoint: Endpoint;
  /** Number of the section of docs/contract.md. */
  readonly section: string;
  /** One sentence. */
  readonly about: string;
  /** Parameters by name in camelCase, with types, descriptions, defaults, and a mark for secrets. */
  readonly fields: Fields;
  readonly rules: readonly Rule<Fields>[];
  /** Groups of parameters of which a call has exactly one; none for most operations. */
  readonly alternatives: Alternatives;
  /** Returns path, query, headers and body of the request. `inputs` are checked parameters. */
  readonly request: (inputs: never, context: RequestContext) => ApiCall;
  /** Returns the path of the endpoint by the settings of the caller, for a path that a setting changes. */
  readonly path: (context: RequestContext) => string;
  /**
   * Schema of a 2xx body in the names of the API, which accepts unknown fields and unknown values of an enumeration; undefined for an
   * operation without a body.
   */
  readonly answer: z.ZodMiniType | undefined;
  /** Names of the fields of the response that contain a secret. */
  readonly secrets: readonly string[];
  readonly listing: Listing | undefined;
  /** Description of the parameter `content`, for an operation that sends bytes: an upload or a document. */
  readonly content: string | undefined;
  /**
   * Direction of the bytes, for an operation at a pre-signed URL of a response. The parameter `address` is that URL; the path is the one of
   * the emulator.
   */
  readonly transfer: "download" | "upload" | undefined;
}

/** Operations of an area by name in camelCase: `createVolume` is the operation `create_volume`. */
export type Area = { readonly [name: string]: Operation };

type NoFields = Record<never, never>;

/** Function that makes the request; optional for an endpoint that requires neither a path parameter nor a body. */
type RequestOption<P extends string, B extends object, F extends Fields> =
  [] extends CallOf<P, B>
    ? { readonly request?: (inputs: Inputs<F>, context: RequestContext) => NonNullable<CallOf<P, B>[0]> }
    : { readonly request: (inputs: Inputs<F>, context: RequestContext) => NonNullable<CallOf<P, B>[0]> };

/** Options of a row. */
interface RowOptions<F extends Fields>
  extends Pick<Operation, "section" | "about">,
    Partial<Pick<Operation, "listing" | "content" | "transfer" | "secrets">> {
  /** Parameters. `region` is added if the endpoint sends one. */
  readonly parameters?: F;
  /** Adds the parameter `region` to an operation whose endpoint sends it in the path or the body. */
  readonly regional?: true;
  readonly rules?: readonly Rule<NoInfer<F>>[];
  readonly alternatives?: Alternatives<keyof NoInfer<F> & string>;
  readonly path?: (path: string, context: RequestContext) => string;
  /** Fields of the response that the schema of the endpoint lacks. */
  readonly also?: { readonly [name: string]: z.ZodMiniType };
  /** Schema of the response, for an endpoint without one or with one of another form. */
  readonly answer?: z.ZodMiniType;
}

const region = field(
  z.optional(text),
  "Region of the operation, such as `In-Bangalore-1`. Default: the region of the client.",
);

/**
 * Defines a row: `operation(getVolume, { section: "8", about: "Returns a volume.", parameters, request })`. The compiler checks the request
 * against the path parameters and the body that the endpoint declares.
 */
export function operation<A, P extends string, B extends object, const F extends Fields = NoFields>(
  endpoint: Endpoint<A, P, B>,
  row: RowOptions<F> & RequestOption<P, B, F>,
): Operation {
  const { section, about, rules = [], alternatives = [], request, path, also, answer, regional } = row;
  const { listing, content, transfer, secrets = [] } = row;
  let schema: { readonly of: z.ZodMiniType | undefined } | undefined;
  const isRegional = regional === true || endpoint.region !== false;
  return {
    endpoint,
    section,
    about,
    fields: { ...row.parameters, ...(isRegional ? { region } : {}) },
    rules: [
      ...(alternatives.length > 0 ? [alternativesRule(alternatives)] : []),
      ...(rules as readonly Rule<Fields>[]),
    ],
    alternatives,
    request: request ?? (() => ({})),
    path: (context) => path?.(endpoint.path, context) ?? endpoint.path,
    get answer() {
      schema ??= { of: answerOf(answer ?? endpoint.answer, also) };
      return schema.of;
    },
    secrets: [...new Set([...endpoint.secrets, ...secrets])],
    listing,
    content,
    transfer,
  };
}

/** Effect of an operation, for a person or a program that decides whether to call it. */
export type Effect = "reads" | "changes" | "destroys";

const effects: { readonly [S in Semantics]: Effect } = {
  read: "reads",
  create: "changes",
  update: "changes",
  action: "changes",
  metered: "changes",
  "sign-in": "changes",
  delete: "destroys",
  "guarded-delete": "destroys",
  // Two GETs of the API cancel a task and delete a checkpoint (docs/contract.md#12).
  cancel: "destroys",
  "account-wide": "destroys",
};

/** Returns the effect of an operation by the semantics of its endpoint, never by its method. */
export const effectOf = ({ endpoint }: Operation): Effect => effects[endpoint.semantics];

/** Returns the names of the parameters of an operation. */
export const parametersOf = ({ fields }: Operation): readonly string[] => Object.keys(fields);
