import type { BodyContent } from "../definition/api.ts";
import type { ByteStream } from "../platform/ports.ts";

/** Encodes a JSON body with a Base64 field as a stream of known size. The content is encoded while it is sent. */
export function bodyStream(body: object, { field, bytes }: BodyContent): ByteStream {
  const before = JSON.stringify(body).slice(0, -1);
  const head = Buffer.from(`${before}${before === "{" ? "" : ","}${JSON.stringify(field)}:"`);
  const tail = Buffer.from('"}');
  return {
    size: head.length + Math.ceil(bytes.size / 3) * 4 + tail.length,
    async *read() {
      yield head;
      yield* base64Of(bytes);
      yield tail;
    },
  };
}

/** Encodes bytes in Base64, part by part: the bytes after the last whole group of three are encoded with the next part. */
async function* base64Of(bytes: ByteStream): AsyncGenerator<Uint8Array> {
  let left = Buffer.alloc(0);
  for await (const part of bytes.read()) {
    const whole =
      left.length === 0
        ? Buffer.from(part.buffer, part.byteOffset, part.length)
        : Buffer.concat([left, part]);
    const end = whole.length - (whole.length % 3);
    // A copy: the reader may reuse the memory of the part.
    left = Buffer.from(whole.subarray(end));
    if (end > 0) yield Buffer.from(whole.toString("base64", 0, end), "latin1");
  }
  if (left.length > 0) yield Buffer.from(left.toString("base64"), "latin1");
}
