import { InputError } from "../../provider/core/error.ts";
import { attribute, attributeCode, wording } from "../../provider/core/wording.ts";
import { bytesContent, type Content, fileContent } from "../../provider/definition/content.ts";

/** Content of an object. */

const names = ["content", "contentBase64", "source"] as const;

interface ContentInputs {
  readonly content?: string | undefined;
  readonly contentBase64?: string | undefined;
  readonly source?: string | undefined;
}

/** Returns the configured content; undefined if there is none. Throws `InputError` for a file that cannot be read. */
export function contentOf(inputs: ContentInputs): Content | undefined {
  const { content, contentBase64, source } = withoutEmpty(inputs);
  if (content !== undefined) return bytesContent(Buffer.from(content));
  if (contentBase64 !== undefined) return bytesContent(Buffer.from(contentBase64, "base64"));
  return source === undefined ? undefined : fileContent(source, "source");
}

/** Returns only the forms of content that are not empty. If all are empty, returns them unchanged: the content is empty. */
function withoutEmpty(inputs: ContentInputs): ContentInputs {
  const set = Object.entries(inputs).filter(([name, value]) => names.includes(name as "source") && value);
  return set.length === 0 ? inputs : Object.fromEntries(set);
}

/** Returns the content to send. Throws `InputError` if there is none, or if it does not match the checksum. */
export function plannedContent(inputs: ContentInputs & { readonly checksum?: string | undefined }): Content {
  const content = contentOf(inputs);
  if (content === undefined)
    throw new InputError([{ path: ["source"], problem: "is not known, and no other content is set" }]);
  if (inputs.checksum === undefined || content.sha256 === inputs.checksum) return content;
  const problem = wording`${inputs.source ?? "source"} does not match ${attribute("checksum")}: change one of the two`;
  throw new InputError([{ path: ["source"], problem }]);
}

/** Sentence for the description of each form of content. */
export const oneForm = wording`Exactly one of ${attributeCode("content")}, ${attributeCode("contentBase64")} and ${attributeCode("source")} is required.`;

/** Requires exactly one form of content. */
export function oneContent(inputs: ContentInputs) {
  const set = withoutEmpty(inputs);
  const [first, second] = names.filter((name) => set[name] !== undefined);
  if (first === undefined)
    return { path: [], problem: wording`content, ${attribute("contentBase64")} or source is required` };
  return second === undefined
    ? undefined
    : { path: [second], problem: wording`conflicts with ${attribute(first)}: set only one of them` };
}
