import { InputError } from "../../provider/core/error.ts";
import { applyCommand, attribute, attributeCode } from "../../provider/core/wording.ts";
import { bytesContent, type Content, fileContent } from "../../provider/definition/content.ts";

/** Content of an object. */

interface Given {
  readonly content?: string | undefined;
  readonly contentBase64?: string | undefined;
  readonly source?: string | undefined;
}

/** Returns the configured content; undefined if there is none. Throws `InputError` for a file that cannot be read. */
export function contentOf({ content, contentBase64, source }: Given): Content | undefined {
  if (content !== undefined) return bytesContent(Buffer.from(content));
  if (contentBase64 !== undefined) return bytesContent(Buffer.from(contentBase64, "base64"));
  return source === undefined ? undefined : fileContent(source, "source");
}

/** Returns the content to send. Throws `InputError` if there is none, or if the file has changed since the plan. */
export function plannedContent(given: Given & { readonly checksum?: string | undefined }): Content {
  const content = contentOf(given);
  if (content === undefined)
    throw new InputError([{ path: ["source"], problem: "is not known, and no other content is set" }]);
  if (given.checksum === undefined || content.sha256 === given.checksum) return content;
  const problem = `${given.source} changed after it was planned: run ${applyCommand} again`;
  throw new InputError([{ path: ["source"], problem }]);
}

const names = ["content", "contentBase64", "source"] as const;

/** Sentence for the description of each form of content. */
export const oneForm = `Exactly one of ${names
  .map(attributeCode)
  .join(", ")
  .replace(/, (?=[^,]*$)/, " and ")} is required.`;

/** Requires exactly one form of content. */
export function oneContent(given: Given) {
  const [, ...more] = names.filter((name) => given[name] !== undefined);
  if (more[0] !== undefined)
    return { path: [more[0]], problem: "conflicts with other content: set only one of them" };
  const isGiven = names.some((name) => given[name] !== undefined);
  return isGiven
    ? undefined
    : {
        path: ["source"],
        problem: `is required if neither content nor ${attribute("contentBase64")} is set`,
      };
}
