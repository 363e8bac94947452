import { capitalized, joinTexts, type Text } from "../../provider/core/wording.ts";
import { type Change, kindOfChange } from "./change.ts";

/** Texts of findings, in which the words of this program and the texts of plans stay apart: only the latter are redacted. */

/** Part of a sentence: words of this program, a text that may be from a plan, or the kind and name of an object. */
type Part = { readonly words: Text } | { readonly quoted: string } | { readonly object: Change };

export interface Sentence {
  readonly parts: readonly Part[];
}

/** Value in a sentence. A text counts as one of a plan, unless it is an attribute in the terms of the engines. */
type Quoted = Sentence | Text | number | bigint;

const partsOf = (value: Quoted): readonly Part[] =>
  typeof value === "string" || typeof value === "number" || typeof value === "bigint"
    ? [{ quoted: String(value) }]
    : "parts" in value
      ? value.parts
      : [{ words: value }];

/** Tag of a sentence: `` say`${called(change)} is deleted.` ``. Values that are no sentences are redacted. */
export const say = (words: TemplateStringsArray, ...values: readonly Quoted[]): Sentence => ({
  parts: words.flatMap((text, index) => {
    const value = values[index];
    return [...(text === "" ? [] : [{ words: text }]), ...(value === undefined ? [] : partsOf(value))];
  }),
});

/** Returns the kind and name of an object, as in `volume "data"`. */
export const called = (object: Change): Sentence => ({ parts: [{ object }] });

/** Returns words of this program, such as a verb, as a sentence. */
export const word = (words: Text): Sentence => ({ parts: [{ words }] });

/** Joins sentences with words between them. */
export const joined = (sentences: readonly Sentence[], between: string): Sentence => ({
  parts: sentences.flatMap(({ parts }, index) => (index === 0 ? parts : [{ words: between }, ...parts])),
});

/** Functions that return the redacted form of a part of a plan. */
interface Redactions {
  readonly quoted: (text: string) => string;
  readonly object: (change: Change) => Change;
}

const unredacted: Redactions = { quoted: (text) => text, object: (change) => change };

/** Returns the text of a sentence. Words at its beginning get a capital letter. */
export function textOf({ parts }: Sentence, redacted: Redactions = unredacted): Text {
  const text = joinTexts(
    parts.map((part) =>
      "words" in part
        ? part.words
        : "quoted" in part
          ? redacted.quoted(part.quoted)
          : nameOfObject(redacted.object(part.object)),
    ),
    "",
  );
  const [first] = parts;
  return first === undefined || "quoted" in first ? text : capitalized(text);
}

/** Returns the kind and name of an object. Default of the name: its name in the configuration. */
export const nameOfObject = (change: Change): string =>
  `${kindOfChange(change).replaceAll("-", " ")} ${JSON.stringify(change.name ?? logicalName(change))}`;

/** Returns the name of an object in its configuration or program. */
const logicalName = ({ engine, type, address }: Change): string =>
  engine === "pulumi" ? (address.split("::").at(-1) ?? address) : nameInTerraform(type, address);

/** Returns `b["c.d"]` for `module.a.kcloud_vpc.b["c.d"]`. */
function nameInTerraform(type: string, address: string): string {
  const instance = address.replace(/ \(deposed [^)]*\)$/, "");
  const start = instance.startsWith(`${type}.`) ? 0 : instance.lastIndexOf(`.${type}.`) + 1;
  return instance.slice(start + type.length + 1) || instance;
}
