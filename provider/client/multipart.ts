import type { Form } from "../definition/api.ts";
import type { ByteStream } from "../platform/ports.ts";

/** Returns the boundary. It contains the digest of the file, so the file cannot contain the boundary. */
const markOf = ({ file: { content } }: Form): string => `part-${content.sha256}`;

/** Returns the content type of a form. */
export const formType = (form: Form): string => `multipart/form-data; boundary=${markOf(form)}`;

/** Quotes a name for a header; escapes quotes and line breaks. */
const quotedName = (name: string): string =>
  `"${name.replace(/["\r\n]/g, (sign) => encodeURIComponent(sign))}"`;

/** Encodes a form as a stream of known size. */
export function formStream(form: Form): ByteStream {
  const { fields, file } = form;
  const mark = `--${markOf(form)}`;
  const part = (name: string, more: string) =>
    `${mark}\r\nContent-Disposition: form-data; name=${quotedName(name)}${more}\r\n\r\n`;
  const plain = Object.entries(fields).map(([name, value]) => `${part(name, "")}${value}\r\n`);
  const type = `\r\nContent-Type: ${file.type ?? "application/octet-stream"}`;
  const head = Buffer.from(`${plain.join("")}${part("file", `; filename=${quotedName(file.name)}${type}`)}`);
  const tail = Buffer.from(`\r\n${mark}--\r\n`);
  return {
    size: head.length + file.content.size + tail.length,
    async *read() {
      yield head;
      yield* file.content.read();
      yield tail;
    },
  };
}
