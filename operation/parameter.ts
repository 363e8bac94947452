import * as z from "zod/mini";
import { type FieldOptions, field } from "../provider/definition/field.ts";
import { maybeText, text, wholeNumber } from "../provider/definition/validator.ts";

/** Parameters that several operations have. */

/** Returns a parameter with the id of an object of a kind. An id of another kind is refused before the request is sent. */
export const idOf = (kind: string, about: string) => field(text, about, { references: kind });
/** Returns a required text. */
export const requiredText = <const O extends FieldOptions<string>>(about: string, options?: O) =>
  field(text, about, options);
/** Returns an optional text. */
export const optionalText = <const O extends FieldOptions<string>>(about: string, options?: O) =>
  field(z.optional(z.string()), about, options);
/** Returns a flag with a default. */
export const flagOf = (about: string, standard = false) => field(z._default(z.boolean(), standard), about);
/** Returns a list of texts. */
export const textList = (about: string) => field(z.array(text), about);
/** Returns a whole number of at least `least`. */
export const numberOf = (about: string, least = 0) => field(wholeNumber(least), about);
/** Returns an optional whole number of at least `least`. */
export const optionalNumber = (about: string, least = 0) => field(z.optional(wholeNumber(least)), about);

export const vpcId = idOf("vpc", "ID of the VPC.");
export const page = optionalNumber("Number of the page, beginning with 1.", 1);
export const limit = optionalNumber("Number of rows of a page. Default: chosen by the API.", 1);

/** Header of deletes, which the existing clients send too (docs/contract.md#1.3). */
export const acceptAny = { accept: "*/*" };

/** Fields of a response to a request that starts work. */
export const workFields = { message: maybeText, status: maybeText };
/** Field of a response with a sentence. */
export const messageFields = { message: maybeText };
