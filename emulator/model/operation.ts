import * as z from "zod";
import { parseMultipart } from "../http/multipart.ts";
import { type OperationResponse, Refusal } from "../http/wire.ts";
import { type Content, contentOf } from "../state/content.ts";
import type { Cloud } from "./cloud.ts";

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/** Name and route of an operation and its section in the contract. */
export type OperationName = {
  readonly name: string;
  readonly method: Method;
  /** Path with its parameters in braces, relative to the base URL. */
  readonly path: string;
  /** Query values that distinguish operations of the same method and path. */
  readonly select?: Readonly<Record<string, string>>;
  /** Section of docs/contract.md. */
  readonly section: string;
  /** Origin of the route: a seed document, published clients only, or an assumption of docs/contract.md#17. */
  readonly source: "seed" | "client" | "assumption";
};

/** Request matched to an operation, not yet validated. */
export type RoutedRequest = {
  readonly path: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
  /** Body of an operation with `bytes`, or content of its `contentField`. */
  readonly content?: Content | undefined;
  /** Origin that the client used, such as `http://127.0.0.1:8080`. */
  readonly origin: string;
};

/** Implemented operation: `run` validates the request and executes it, or throws a `Refusal`. */
export type Operation = OperationName & {
  /** True when no credential is required. */
  readonly open?: boolean;
  /** True for a GET that changes state, false for another method that only reads. Default: false for a GET. */
  readonly changes?: boolean;
  /** True when the body is opaque, possibly large content. */
  readonly bytes?: true;
  /** Field of the JSON body whose Base64 value, possibly large, is decoded into `content`. */
  readonly contentField?: string;
  run(cloud: Cloud, call: RoutedRequest): OperationResponse;
};

type Parameter<P extends string> = P extends `${string}{${infer Name}}${infer Rest}`
  ? Name | Parameter<Rest>
  : never;

/** Declaration of an operation: `handle` receives the parsed output of the schemas. */
export type OperationDeclaration<P extends string, H, Q, B> = Omit<OperationName, "path"> & {
  readonly path: P;
  readonly open?: boolean;
  readonly changes?: boolean;
  /** Headers by their lower-case names; other headers are ignored, as in the API (docs/contract.md#1.3). */
  readonly headers?: z.ZodType<H>;
  /** Schema of the query; without one, every query parameter is rejected. */
  readonly query?: z.ZodType<Q>;
  /** Schema of the body; without one, every field is rejected. */
  readonly body?: z.ZodType<B>;
  /** True when the body may be absent. */
  readonly bodiless?: true;
  /** Encoding of the body; JSON by default. */
  readonly encoding?: "multipart" | "json or multipart";
  /** True when the body is passed as `content`. */
  readonly bytes?: true;
  /** Field of the JSON body that is decoded from Base64 and passed as `content`. In `body` it is `""`, or null if invalid. */
  readonly contentField?: string;
  readonly handle: (
    cloud: Cloud,
    call: {
      path: Record<Parameter<P>, string>;
      headers: H;
      query: Q;
      body: B;
      content: Content;
      origin: string;
    },
  ) => OperationResponse;
};

const anything: z.ZodType<unknown> = z.unknown();
const noFields = z.strictObject({});
/** Value of an absent query or body. An operation without a schema for that part skips its validation. */
const absent = {};
const strictDecoder = new TextDecoder("utf-8", { fatal: true });
const noBytes = contentOf(new Uint8Array());

export const isForm = ({ headers }: RoutedRequest): boolean =>
  /^multipart\//i.test(headers["content-type"] ?? "");

/** Declares an operation: the request is validated against the schemas before the handler runs. */
export function operation<P extends string, H = unknown, Q = unknown, B = unknown>(
  declaration: OperationDeclaration<P, H, Q, B>,
): Operation {
  const { bodiless, encoding, handle, headers, query, body, ...rest } = declaration;
  const headerSchema = headers ?? (anything as z.ZodType<H>);
  const querySchema = query ?? (noFields as unknown as z.ZodType<Q>);
  const bodySchema = body ?? (noFields as unknown as z.ZodType<B>);
  const selected = Object.keys(declaration.select ?? {});
  const unselected = (raw: RoutedRequest["query"]) => {
    const parameters = Object.entries(raw).filter(([key]) => !selected.includes(key));
    return parameters.length === 0 ? absent : Object.fromEntries(parameters);
  };
  return {
    ...rest,
    run(cloud, call) {
      return handle(cloud, {
        path: call.path as Record<Parameter<P>, string>,
        headers: check("header", headerSchema, call.headers),
        query: check("query", querySchema, unselected(call.query)),
        body: check(
          "body",
          bodySchema,
          encoding === "multipart" || (encoding !== undefined && isForm(call))
            ? parseMultipart(call.headers["content-type"] ?? "", call.body)
            : parseBody(call.body, body !== undefined && !bodiless),
        ),
        content: call.content ?? noBytes,
        origin: call.origin,
      });
    },
  };
}

/** Decodes the body by its content and ignores its content type (docs/contract.md#1.1, docs/contract.md#1.3). */
function parseBody(body: Uint8Array, required: boolean): unknown {
  if (body.length === 0) {
    if (required) throw new Refusal(400, "body: required");
    return absent;
  }
  try {
    return JSON.parse(strictDecoder.decode(body));
  } catch {
    throw new Refusal(400, "body: not valid JSON");
  }
}

function check<T>(where: "header" | "query" | "body", schema: z.ZodType<T>, value: unknown): T {
  if (value === absent && (schema as unknown) === noFields) return value as T;
  const result = schema.safeParse(value, { reportInput: true });
  if (result.success) return result.data;
  const fields = result.error.issues.flatMap((issue) => problemsOf(where, issue));
  const message = fields.map(({ field, problem }) => `${field}: ${problem}`).join("; ");
  throw new Refusal(400, message, { fields });
}

type Problem = { field: string; problem: string };

function problemsOf(where: "header" | "query" | "body", issue: z.core.$ZodIssue): Problem[] {
  const prefix = where === "body" ? "" : `${where} `;
  const field = (path: PropertyKey[]) => (path.length === 0 ? where : prefix + path.map(String).join("."));
  if (issue.code === "unrecognized_keys") {
    return issue.keys.map((key) => ({
      field: field([...issue.path, key]),
      problem: `unknown field "${key}"`,
    }));
  }
  if (issue.input === undefined && issue.code !== "custom")
    return [{ field: field(issue.path), problem: "required" }];
  if (issue.code === "invalid_type") {
    return [{ field: field(issue.path), problem: `must be of type ${issue.expected}` }];
  }
  return [{ field: field(issue.path), problem: issue.message }];
}
