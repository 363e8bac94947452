import type * as z from "zod/mini";

/**
 * Parser of responses that are one array with too many rows for one string: `[…]`, or `{ "objects": […] }`. Each row
 * is parsed when it is complete. The frame is the JSON of the response without the rows.
 */
export interface RowStream<R> {
  push(bytes: Uint8Array): void;
  /** Returns the JSON text without the rows. */
  frame(): string;
  readonly rows: R[];
  /** Returns the first invalid part, such as `the field 3.key`; undefined if there is none. */
  wrong(): string | undefined;
}

/** Maximum length in characters of a row, and of the text around the rows. */
const longest = 1024 * 1024;

const [quote, backslash, comma] = [0x22, 0x5c, 0x2c];
const opening = new Set([0x7b, 0x5b]);
const closing = new Set([0x7d, 0x5d]);
const [brace, bracket] = [0x7b, 0x5b];

/** Creates a parser that validates each row with `schema`. */
export function createRowStream<R>(schema: z.ZodMiniType<R>): RowStream<R> {
  const decoder = new TextDecoder();
  const rows: R[] = [];
  let frame = "";
  let wrong: string | undefined;
  /** Open brackets around the rows. */
  const around: number[] = [];
  /** Start of an incomplete row. */
  let begun = "";
  /** Number of open brackets in the current row; 0 outside of a row. */
  let depth = 0;
  /** True after a row of the open array: the comma before the next row is part of neither a row nor the frame. */
  let among = false;
  let quoted = false;
  let escaped = false;

  /** Returns true if an object here is a row: in a top-level array, or in an array of a top-level object. */
  const isAmongRows = () =>
    around.at(-1) === bracket && (around.length === 1 || (around.length === 2 && around[0] === brace));

  function take(text: string): void {
    const parsed = schema.safeParse(parseRow(text));
    if (parsed.success) rows.push(parsed.data);
    else wrong ??= `the field ${[rows.length, ...(parsed.error.issues[0]?.path ?? [])].join(".")}`;
    among = true;
  }

  /** Scans a part of the body. Copies text of a row or of the frame in one slice, not by character. */
  function scan(text: string): void {
    let from = 0;
    for (let at = 0; at < text.length; at++) {
      const code = text.charCodeAt(at);
      if (quoted) {
        if (escaped) escaped = false;
        else if (code === backslash) escaped = true;
        else if (code === quote) quoted = false;
      } else if (code === quote) quoted = true;
      else if (depth === 0 && code === brace && isAmongRows()) {
        frame += text.slice(from, at);
        from = at;
        depth = 1;
      } else if (opening.has(code)) {
        if (depth > 0) depth += 1;
        else {
          around.push(code);
          among = false;
        }
      } else if (closing.has(code)) {
        if (depth === 0) around.pop();
        else if (--depth === 0) {
          take(begun + text.slice(from, at + 1));
          begun = "";
          from = at + 1;
        }
      } else if (code === comma && among && depth === 0 && isAmongRows()) {
        frame += text.slice(from, at);
        from = at + 1;
      }
    }
    if (depth > 0) begun += text.slice(from);
    else frame += text.slice(from);
    if (Math.max(begun.length, frame.length) > longest) {
      wrong ??= "an incomplete row";
      begun = "";
      frame = "";
    }
  }

  return {
    rows,
    push: (bytes) => scan(decoder.decode(bytes, { stream: true })),
    frame: () => frame + begun,
    wrong: () => wrong,
  };
}

function parseRow(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
