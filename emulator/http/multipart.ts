import { Refusal } from "./wire.ts";

/** File of a multipart form. */
export type FormFile = {
  readonly filename: string;
  readonly contentType: string | undefined;
  readonly bytes: Uint8Array;
};

/** Parses a `multipart/form-data` body into fields by name; throws a `Refusal` 400 for anything else. */
export function parseMultipart(contentType: string, body: Uint8Array): Record<string, string | FormFile> {
  const boundary = /^multipart\/form-data;.*\bboundary=(?:"([^"]+)"|([^;\s]+))/i.exec(contentType);
  const mark = boundary?.[1] ?? boundary?.[2];
  if (mark === undefined) throw new Refusal(400, "header content-type: must be multipart/form-data");
  // latin1 maps each byte to one character, so the bytes of a file are preserved.
  const pieces = `\r\n${Buffer.from(body).toString("latin1")}`.split(`\r\n--${mark}`);
  const end = pieces.pop();
  if (pieces.length === 0 || !end?.startsWith("--")) throw new Refusal(400, "body: not valid multipart");
  const fields = pieces.slice(1).map(parsePart);
  const names = fields.map(([name]) => name);
  const repeated = names.find((name, i) => names.indexOf(name) !== i);
  if (repeated !== undefined) throw new Refusal(400, `${repeated}: given twice`);
  return Object.fromEntries(fields);
}

function parsePart(piece: string): [string, string | FormFile] {
  const headEnd = piece.indexOf("\r\n\r\n");
  const bytes = Buffer.from(piece.slice(headEnd + 4), "latin1");
  const head = Buffer.from(piece.slice(0, Math.max(headEnd, 0)), "latin1").toString("utf8");
  const disposition = /^content-disposition: *form-data(.*)$/im.exec(head)?.[1] ?? "";
  const name = /; *name="([^"]*)"/i.exec(disposition)?.[1];
  if (name === undefined) throw new Refusal(400, "body: not valid multipart");
  const filename = /; *filename="([^"]*)"/i.exec(disposition)?.[1];
  if (filename === undefined) return [name, bytes.toString("utf8")];
  return [name, { filename, contentType: /^content-type: *(.+)$/im.exec(head)?.[1]?.trim(), bytes }];
}
