import { createHash } from "node:crypto";
import type { Form } from "../definition/api.ts";
import type { ByteStream } from "../platform/ports.ts";

/** Returns the boundary. It contains the digest of the content, so the content cannot contain the boundary. */
const markOf = ({ fields, file }: Form): string =>
  `part-${file?.content.sha256 ?? createHash("sha256").update(JSON.stringify(fields)).digest("hex")}`;

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
  const headOf = ({ field = "file", name, type }: NonNullable<Form["file"]>) =>
    part(field, `; filename=${quotedName(name)}\r\nContent-Type: ${type ?? "application/octet-stream"}`);
  const head = Buffer.from(`${plain.join("")}${file === undefined ? "" : headOf(file)}`);
  const tail = Buffer.from(`${file === undefined ? "" : "\r\n"}${mark}--\r\n`);
  return {
    size: head.length + (file?.content.size ?? 0) + tail.length,
    async *read() {
      yield head;
      if (file !== undefined) yield* file.content.read();
      yield tail;
    },
  };
}
