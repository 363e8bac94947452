import type * as z from "zod/mini";

/**
 * Answers that are one array of more rows than one text should hold: `[…]`, or `{ "objects": […] }`. Each row is parsed
 * when its end has come; what is around the rows is kept, and is the same JSON without them.
 */
export interface RowStream<R> {
  push(bytes: Uint8Array): void;
  /** What came around the rows. */
  frame(): string;
  readonly rows: R[];
  /** What is not as it should be: `its field 3.key`. */
  wrong(): string | undefined;
}

/** No row is longer, nor what is around them. */
const longest = 1024 * 1024;

const [quote, backslash, comma] = [0x22, 0x5c, 0x2c];
const opening = new Set([0x7b, 0x5b]);
const closing = new Set([0x7d, 0x5d]);
const [brace, bracket] = [0x7b, 0x5b];

/** A stream of which nothing has come yet. */
export function createRowStream<R>(schema: z.ZodMiniType<R>): RowStream<R> {
  const decoder = new TextDecoder();
  const rows: R[] = [];
  let frame = "";
  let wrong: string | undefined;
  /** What is open around the rows. */
  const around: number[] = [];
  /** A row of which not all has come. */
  let begun = "";
  /** What is open in the row; 0 outside of one. */
  let depth = 0;
  /** Whether a row came in the array that is open: what parts it from the next belongs to neither. */
  let among = false;
  let quoted = false;
  let escaped = false;

  /** Whether what comes next may be a row: in an array, at the top or of a field of the top. */
  const isAmongRows = () =>
    around.at(-1) === bracket && (around.length === 1 || (around.length === 2 && around[0] === brace));

  function take(text: string): void {
    const parsed = schema.safeParse(parseRow(text));
    if (parsed.success) rows.push(parsed.data);
    else wrong ??= `its field ${[rows.length, ...(parsed.error.issues[0]?.path ?? [])].join(".")}`;
    among = true;
  }

  /** Goes through what has come; what belongs to a row or to the frame is cut out in one piece. */
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
      wrong ??= "a row without an end";
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
