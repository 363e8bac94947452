import * as z from "zod/mini";
import type { Values } from "../../provider/core/value.ts";
import { attributeCode, wording } from "../../provider/core/wording.ts";
import type { Api } from "../../provider/definition/api.ts";
import { type FieldOptions, field, type ReadOptions } from "../../provider/definition/field.ts";
import { base64Text } from "../../provider/definition/validator.ts";

/** Name of the value that both fields spell. */
const sent = "user data";

const bytes = (encoding: "utf8" | "base64") => (text: string | undefined) =>
  text === undefined ? undefined : Buffer.from(text, encoding);

/**
 * Returns the form in which an import records the user data of a response: Base64, unless the API has the text as it was written
 * (docs/contract.md#17.4). A plan compares the bytes of both forms.
 */
export const shownUserData = (text: string | undefined) =>
  text === undefined || text === ""
    ? {}
    : Buffer.from(text, "base64").toString("base64") === text
      ? { shownBase64: text }
      : { shownText: text };

/** Options of the two forms for a kind whose read returns `shownUserData`. */
export const shownForms = {
  plain: { importIsExact: true, importFallback: ({ shownText }: Values) => shownText },
  base64: { importIsExact: true, importFallback: ({ shownBase64 }: Values) => shownBase64 },
} as const;

/** Fields of user data, in plain text or in Base64. */
export const userDataFields = <const O extends FieldOptions<string>>(
  options: O,
  forms: { readonly plain?: ReadOptions; readonly base64?: ReadOptions } = {},
) => ({
  userData: field(
    z.optional(z.string()),
    wording`User data for the first start as plain text, such as a \`#cloud-config\`. Conflicts with ${attributeCode("userDataBase64")}.`,
    { ...options, ...forms.plain, wire: { name: sent, of: bytes("utf8") } },
  ),
  userDataBase64: field(
    z.optional(base64Text),
    wording`User data for the first start, encoded in Base64. Conflicts with ${attributeCode("userData")}.`,
    { ...options, ...forms.base64, wire: { name: sent, of: bytes("base64") } },
  ),
});

/** Encodes user data in base64: a firewall of the API rejects shell text (docs/contract.md#1.1). */
export const encoded = (plain: string): string => Buffer.from(plain).toString("base64");

/** Returns user data to send: in base64, or unchanged with `user_data_as_written` (docs/contract.md#17.4). */
export const sentText = ({ switches }: Pick<Api, "switches">, plain: string): string =>
  switches.userDataAsWritten ? plain : encoded(plain);
