import type * as z from "zod/mini";
import {
  beginScan,
  closeList,
  closeObject,
  comma,
  openList,
  openObject,
  quote,
  scanValue,
} from "../core/json-scan.ts";

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

/** Maximum length in bytes of a row, and of the text around the rows. */
const longest = 1024 * 1024;

/** Creates a parser that validates each row with `schema`. */
export function createRowStream<R>(schema: z.ZodMiniType<R>): RowStream<R> {
  const rows: R[] = [];
  const [frame, row] = [createText(), createText()];
  let wrong: string | undefined;
  /** Open brackets around the rows. */
  const around: number[] = [];
  /** Scan of a row, or of a text of the frame; undefined between values. */
  let scan: ReturnType<typeof beginScan> | undefined;
  /** Text that contains the current value. */
  let into = frame;
  /** Number of bytes at the start of the next part that the scan has passed. */
  let passed = 0;
  /** True after a row of the open array: the comma before the next row is part of neither a row nor the frame. */
  let isAmong = false;

  /** Returns true if an object here is a row: in a top-level array, or in an array of a top-level object. */
  const isAmongRows = () =>
    around.at(-1) === openList && (around.length === 1 || (around.length === 2 && around[0] === openObject));

  function take(text: string): void {
    const parsed = schema.safeParse(parseRow(text));
    if (parsed.success) rows.push(parsed.data);
    else wrong ??= `the field ${[rows.length, ...(parsed.error.issues[0]?.path ?? [])].join(".")}`;
    isAmong = true;
  }

  function push(part: Uint8Array): void {
    const bytes = Buffer.from(part.buffer, part.byteOffset, part.length);
    /** Start of the bytes that belong to `into` and are not in it yet. */
    let from = 0;
    let position = passed;
    passed = 0;
    while (position < bytes.length) {
      if (scan !== undefined) {
        position = scanValue(scan, bytes, position, bytes.length);
        if (!scan.isEnd) break;
        if (into === row) {
          take(row.take(bytes, from, position, scan.isPlain));
          into = frame;
          from = position;
        }
        scan = undefined;
        continue;
      }
      const byte = bytes[position] as number;
      const isRow = byte === openObject && isAmongRows();
      if (isRow) {
        frame.add(bytes, from, position);
        into = row;
        from = position;
      } else if (byte === comma && isAmong && isAmongRows()) {
        frame.add(bytes, from, position);
        from = position + 1;
      } else if (byte === openObject || byte === openList) {
        around.push(byte);
        isAmong = false;
      } else if (byte === closeObject || byte === closeList) around.pop();
      if (isRow || byte === quote) scan = beginScan();
      else position += 1;
    }
    passed = Math.max(0, position - bytes.length);
    into.add(bytes, from, bytes.length);
    if (Math.max(frame.length(), row.length()) > longest) {
      wrong ??= "an incomplete row";
      frame.clear();
      row.clear();
    }
  }

  return {
    rows,
    push,
    frame: () => frame.text() + row.text(),
    wrong: () => wrong,
  };
}

/** Creates a text from bytes that arrive in parts. */
function createText() {
  let parts: Buffer[] = [];
  let length = 0;
  const clear = (): void => {
    parts = [];
    length = 0;
  };
  return {
    clear,
    /** Copies the bytes: the reader may reuse their memory. */
    add(bytes: Buffer, from: number, end: number): void {
      if (from >= end) return;
      parts.push(Buffer.from(bytes.subarray(from, end)));
      length += end - from;
    },
    length: () => length,
    /** Returns the text; skips a byte-order mark. */
    text: () => new TextDecoder().decode(Buffer.concat(parts)),
    /** Returns the text with its last bytes, and empties it. `isPlain` is true if all characters are ASCII. */
    take(bytes: Buffer, from: number, end: number, isPlain: boolean): string {
      const encoding = isPlain ? "latin1" : "utf8";
      if (length === 0) return bytes.toString(encoding, from, end);
      const all = Buffer.concat([...parts, bytes.subarray(from, end)]);
      clear();
      return all.toString(encoding);
    },
  };
}

function parseRow(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
