import { type Content, type ContentStore, contentOf } from "../state/content.ts";

/** Extracts one large Base64 string from a JSON body while the body arrives, so that the whole string is never in memory. */

/** JSON body without the value of a field, and the decoded value. */
export type SplitJson = { readonly body: Uint8Array; readonly content: Content };

/** Splitter of a JSON body that arrives in parts. */
type JsonSplitter = {
  /** Returns the content bytes that this part completes. */
  write(part: Uint8Array): Uint8Array;
  /** Returns the JSON with the field's value as `""`, or as `null` if it is not Base64. */
  end(): Uint8Array;
};

const quote = 0x22;
const backslash = 0x5c;
const colon = 0x3a;
const space = 0x20;
const open = new Set([0x7b, 0x5b]);
const close = new Set([0x7d, 0x5d]);

const none = new Uint8Array();
const latin1 = new TextDecoder("latin1");

/** Decodes Base64 text that arrives in parts. */
function createBase64Decoder() {
  let rest = "";
  let padded = false;
  let isValid = true;
  return {
    write(text: string): Uint8Array {
      const all = rest + text;
      const end = all.length - (all.length % 4);
      const complete = all.slice(0, end);
      rest = all.slice(end);
      if (complete === "") return none;
      isValid &&= !padded && /^[A-Za-z0-9+/]*={0,2}$/.test(complete);
      padded = complete.endsWith("=");
      return Buffer.from(complete, "base64");
    },
    isComplete: () => isValid && rest === "",
  };
}

/** Creates a splitter for a field of the outermost object. */
function createJsonSplitter(field: string): JsonSplitter {
  const rest: number[] = [];
  const base64 = createBase64Decoder();
  let depth = 0;
  let inString = false;
  let isEscaped = false;
  /** Text of the last string of the outermost object; `isKey` is true while a colon is the last token after it. */
  let last = "";
  let isKey = false;
  let inContent = false;
  let isFound = false;

  /** Processes one byte outside of the content; returns true if the content begins after it. */
  function step(byte: number): boolean {
    rest.push(byte);
    if (inString) {
      if (isEscaped) isEscaped = false;
      else if (byte === backslash) isEscaped = true;
      else if (byte === quote) {
        inString = false;
        return false;
      }
      if (depth === 1 && last.length <= field.length) last += String.fromCharCode(byte);
      return false;
    }
    if (byte === quote) {
      if (depth === 1 && isKey && last === field && !isFound) {
        isFound = true;
        return true;
      }
      inString = true;
      isKey = false;
      if (depth === 1) last = "";
    } else if (byte === colon) isKey = depth === 1;
    else if (byte > space) {
      isKey = false;
      if (open.has(byte)) depth += 1;
      else if (close.has(byte)) depth -= 1;
    }
    return false;
  }

  return {
    write(part) {
      const parts: Uint8Array[] = [];
      let position = 0;
      while (position < part.length) {
        if (inContent) {
          const end = part.indexOf(quote, position);
          const text = latin1.decode(part.subarray(position, end < 0 ? part.length : end));
          parts.push(base64.write(text.replaceAll("\\/", "/")));
          inContent = end < 0;
          if (end < 0) break;
          rest.push(quote);
          position = end + 1;
        } else {
          inContent = step(part[position] as number);
          position += 1;
        }
      }
      return parts.length === 1 ? (parts[0] as Uint8Array) : Buffer.concat(parts);
    },
    end() {
      const json = Buffer.from(rest);
      if (!isFound || base64.isComplete()) return json;
      const value = JSON.stringify(field);
      return Buffer.from(json.toString("utf8").replace(new RegExp(`(${value}\\s*:\\s*)""`), "$1null"));
    },
  };
}

/** Splits a body that is in memory. */
export function splitJson(body: Uint8Array, field: string): SplitJson {
  const splitter = createJsonSplitter(field);
  const content = contentOf(splitter.write(body));
  return { body: splitter.end(), content };
}

/** Splits a body while it arrives; rejects when the stream fails. */
export async function receiveJson(
  parts: AsyncIterable<Uint8Array>,
  field: string,
  contents: ContentStore,
): Promise<SplitJson> {
  const splitter = createJsonSplitter(field);
  async function* decoded() {
    for await (const part of parts) yield splitter.write(part);
  }
  const content = await contents.receive(decoded());
  return { body: splitter.end(), content };
}
