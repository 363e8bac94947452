import { constants } from "node:buffer";
import { closeSync, openSync, readSync } from "node:fs";
import { type Source, sourceOfText } from "./document.ts";
import { NotReviewableError, UnreadableError } from "./not-reviewable.ts";

/** An open input. It is read once, from its start. */
export interface InputFile {
  /** First bytes, which identify the format. */
  readonly head: Buffer;
  /** Reads the input in UTF-8. */
  readonly source: Source;
  /** Returns the whole content. Throws `NotReviewableError` if it exceeds the maximum length of a string. */
  content(): Buffer;
}

/** Number of bytes that identify the format of a file. */
const headBytes = 4096;

/** Opens an input while `use` runs; "-" is standard input. Throws `UnreadableError`. */
export function withInput<T>(path: string, use: (file: InputFile) => T): T {
  const file = path === "-" ? 0 : attempt(() => openSync(path, "r"));
  try {
    const read: Source = (into, offset) =>
      attempt(() => readSync(file, into, offset, into.length - offset, null));
    const head = filled(read, Buffer.alloc(headBytes));
    const whole = following(head, read);
    const content = () => allOf(whole);
    const source = isUtf16(head) ? decodedSource(content) : whole;
    return use({ head, source, content });
  } finally {
    if (path !== "-") closeSync(file);
  }
}

function attempt<T>(step: () => T): T {
  try {
    return step();
  } catch (error) {
    throw new UnreadableError(`cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** Fills a buffer until it is full or the source ends. Returns the filled part. */
function filled(read: Source, buffer: Buffer): Buffer {
  let length = 0;
  for (let count = 1; count > 0 && length < buffer.length; length += count) count = read(buffer, length);
  return buffer.subarray(0, length);
}

/** Returns a source that yields the given bytes, then those of `read`. */
function following(first: Buffer, read: Source): Source {
  let position = 0;
  return (into, offset) => {
    if (position === first.length) return read(into, offset);
    const count = first.copy(into, offset, position);
    position += count;
    return count;
  };
}

/** Returns the source of a text in UTF-16, as PowerShell redirects it. */
function decodedSource(content: () => Buffer): Source {
  let source: Source | undefined;
  return (into, offset) => {
    source ??= sourceOfText(textOf(content()));
    return source(into, offset);
  };
}

function allOf(read: Source): Buffer {
  const chunks: Buffer[] = [];
  let total = 0;
  for (;;) {
    const chunk = filled(read, Buffer.allocUnsafeSlow(1024 * 1024));
    if (chunk.length === 0) return Buffer.concat(chunks);
    total += chunk.length;
    if (total > constants.MAX_STRING_LENGTH)
      throw new NotReviewableError(`has more than ${constants.MAX_STRING_LENGTH} bytes, the maximum`);
    chunks.push(chunk);
  }
}

const isUtf16 = (content: Buffer): boolean => content[0] === 0xff && content[1] === 0xfe;

/** Returns the text of a file in UTF-8, or in UTF-16 with its mark. */
export const textOf = (content: Buffer): string =>
  new TextDecoder(isUtf16(content) ? "utf-16le" : "utf-8").decode(content);

/** Returns the text of a whole input. Throws `UnreadableError` and `NotReviewableError`. */
export const readText = (path: string): string => withInput(path, ({ content }) => textOf(content()));
