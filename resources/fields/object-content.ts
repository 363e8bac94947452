import { InputError } from "../../provider/core/error.ts";
import { bytesContent, type Content, fileContent } from "../../provider/definition/content.ts";

/** What an object is made of. */

interface Given {
  readonly content?: string | undefined;
  readonly contentBase64?: string | undefined;
  readonly source?: string | undefined;
}

/** The content that is given; undefined where none is. Throws `InputError` for a file that cannot be read. */
export function contentOf({ content, contentBase64, source }: Given): Content | undefined {
  if (content !== undefined) return bytesContent(Buffer.from(content));
  if (contentBase64 !== undefined) return bytesContent(Buffer.from(contentBase64, "base64"));
  return source === undefined ? undefined : fileContent(source, "source");
}

/** The content to send: what was planned. Throws `InputError` for a file that is another one by now. */
export function plannedContent(given: Given & { readonly checksum?: string | undefined }): Content {
  const content = contentOf(given);
  if (content === undefined)
    throw new InputError([{ path: ["source"], problem: "is not known, nor is any other content" }]);
  if (given.checksum === undefined || content.sha256 === given.checksum) return content;
  const problem = `${given.source} changed after it was planned: plan again`;
  throw new InputError([{ path: ["source"], problem }]);
}

const names = ["content", "contentBase64", "source"] as const;

/** An object has content in one form. */
export function oneContent(given: Given) {
  const [, ...more] = names.filter((name) => given[name] !== undefined);
  if (more[0] !== undefined)
    return { path: [more[0]], problem: "cannot stand beside other content: give one of them" };
  const isGiven = names.some((name) => given[name] !== undefined);
  return isGiven
    ? undefined
    : { path: ["source"], problem: "is required where neither content nor content_base64 is given" };
}
