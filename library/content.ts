import { createHash } from "node:crypto";
import { InputError, type Problem } from "../provider/core/error.ts";
import { bytesContent, type Content, fileContent, readFile } from "../provider/definition/content.ts";

/** Contents that a program passes to an upload. */

/** Returns the content, or the problem of an argument that is none. A file is read in parts, twice: for its digests, and to send it. */
export async function contentOf(
  source: unknown,
): Promise<readonly [Content | undefined, readonly Problem[]]> {
  const path = ["content"];
  if (source === undefined || source === null)
    return [
      undefined,
      [{ path, problem: "is required: bytes, a Blob, or an object with the path of a file" }],
    ];
  if (source instanceof Uint8Array) return [bytesContent(source), []];
  if (source instanceof Blob) return [await blobContent(source), []];
  const { path: file } = source as { readonly path?: unknown };
  if (typeof file !== "string")
    return [undefined, [{ path, problem: "must be bytes, a Blob, or an object with the path of a file" }]];
  try {
    await readFile(file);
    return [fileContent(file, "content"), []];
  } catch (error) {
    if (error instanceof InputError) return [undefined, error.problems];
    throw error;
  }
}

async function blobContent(blob: Blob): Promise<Content> {
  const [sha256, md5] = [createHash("sha256"), createHash("md5")];
  for await (const part of blob.stream()) {
    sha256.update(part);
    md5.update(part);
  }
  return {
    size: blob.size,
    sha256: sha256.digest("hex"),
    md5: md5.digest("hex"),
    read: () => blob.stream(),
  };
}
