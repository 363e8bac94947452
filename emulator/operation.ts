import { z } from "zod";
import type { Cloud } from "./cloud.ts";
import { type Content, contentOf } from "./content.ts";
import { parseMultipart } from "./multipart.ts";
import { type Answer, Refusal } from "./wire.ts";

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/** Which operation it is and where the contract states it. */
export type OperationName = {
  readonly name: string;
  readonly method: Method;
  /** The path with its parameters in braces, relative to the base address. */
  readonly path: string;
  /** Query values that tell operations of one method and path apart. */
  readonly select?: Readonly<Record<string, string>>;
  /** The contract section. */
  readonly section: string;
  /** Whether a seed names it, only clients do, or only an assumption of contract 17. */
  readonly source: "seed" | "client" | "assumption";
};

/** A request as the router hands it over: still unchecked. */
export type RawCall = {
  readonly path: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
  /** The body of an operation that takes bytes. */
  readonly content?: Content | undefined;
  /** Where the cloud was reached: `http://127.0.0.1:8080`. */
  readonly origin: string;
};

/** An operation that is built: `run` checks the request, then executes it, or throws a `Refusal`. */
export type Operation = OperationName & {
  /** True for what needs no credential. */
  readonly open?: boolean;
  /** True for a GET that changes something; everything else but a GET is taken to do so. */
  readonly changes?: boolean;
  /** Its body is bytes that mean nothing here, and may be many. */
  readonly bytes?: true;
  run(cloud: Cloud, call: RawCall): Answer;
};

type Parameter<P extends string> = P extends `${string}{${infer Name}}${infer Rest}`
  ? Name | Parameter<Rest>
  : never;

/** An operation as it is declared: `handle` sees what the schemas let pass. */
export type Declaration<P extends string, H, Q, B> = Omit<OperationName, "path"> & {
  readonly path: P;
  readonly open?: boolean;
  readonly changes?: boolean;
  /** Headers by their lower-case names; others are ignored, as the service does (contract 1.3). */
  readonly headers?: z.ZodType<H>;
  /** Query parameters; without a schema there are none. */
  readonly query?: z.ZodType<Q>;
  /** The body; without a schema there is none. */
  readonly body?: z.ZodType<B>;
  /** It may come without the body. */
  readonly bodiless?: true;
  /** How the body comes; JSON unless it says otherwise. */
  readonly encoding?: "multipart" | "json or multipart";
  /** Its body is bytes, which are `content`. */
  readonly bytes?: true;
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
  ) => Answer;
};

const anything: z.ZodType<unknown> = z.unknown();
const nothing = z.strictObject({});
/** A query or body that did not come: what is declared as nothing takes it without a look. */
const absent = {};
const decoder = new TextDecoder("utf-8", { fatal: true });
const noBytes = contentOf(new Uint8Array());

export const isForm = ({ headers }: RawCall): boolean => /^multipart\//i.test(headers["content-type"] ?? "");

/** Declares an operation: everything is checked against the schemas before the handler sees it. */
export function operation<P extends string, H = unknown, Q = unknown, B = unknown>(
  declaration: Declaration<P, H, Q, B>,
): Operation {
  const { bodiless, encoding, handle, headers, query, body, ...rest } = declaration;
  const headerSchema = headers ?? (anything as z.ZodType<H>);
  const querySchema = query ?? (nothing as unknown as z.ZodType<Q>);
  const bodySchema = body ?? (nothing as unknown as z.ZodType<B>);
  const selected = Object.keys(declaration.select ?? {});
  const unselected = (raw: RawCall["query"]) => {
    const left = Object.entries(raw).filter(([key]) => !selected.includes(key));
    return left.length === 0 ? absent : Object.fromEntries(left);
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

/** The body is decoded by its content, never by its header (contract 1.1, 1.3). */
function parseBody(body: Uint8Array, due: boolean): unknown {
  if (body.length === 0) {
    if (due) throw new Refusal(400, "body: required");
    return absent;
  }
  try {
    return JSON.parse(decoder.decode(body));
  } catch {
    throw new Refusal(400, "body: not valid JSON");
  }
}

function check<T>(where: "header" | "query" | "body", schema: z.ZodType<T>, value: unknown): T {
  if (value === absent && (schema as unknown) === nothing) return value as T;
  const result = schema.safeParse(value, { reportInput: true });
  if (result.success) return result.data;
  const fields = result.error.issues.flatMap((issue) => explain(where, issue));
  const message = fields.map(({ field, problem }) => `${field}: ${problem}`).join("; ");
  throw new Refusal(400, message, { fields });
}

type Problem = { field: string; problem: string };

function explain(where: "header" | "query" | "body", issue: z.core.$ZodIssue): Problem[] {
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
