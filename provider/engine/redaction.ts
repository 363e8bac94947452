import { redactor } from "../client/client.ts";
import { isRecord, isSecret, reveal, type Value, type Values } from "../core/value.ts";
import type { Fields } from "../definition/field.ts";
import type { Session } from "./session.ts";

/** Shorter texts stand in any sentence by chance; to take them out would only make it unreadable. */
const shortest = 6;

/**
 * The session for work on an object whose values hold secrets: what the cloud quotes of them comes out of every text,
 * as the session's own secrets do.
 */
export function withRedaction(
  session: Session,
  { fields }: { readonly fields: Fields },
  ...all: readonly Values[]
): Session {
  let own: ((text: string) => string) | undefined;
  return {
    ...session,
    redact(text) {
      own ??= redactor(all.flatMap((values) => secretsIn(fields, values)));
      return own(session.redact(text));
    },
  };
}

/** Every text that a definition or a user calls secret. */
const secretsIn = (fields: Fields, values: Values): string[] =>
  Object.entries(values).flatMap(([name, value]) => {
    const field = fields[name];
    if (isSecret(value) || (field?.kind !== "group" && field?.options.secret)) return textsIn(reveal(value));
    return field?.kind === "group" && isRecord(value) ? secretsIn(field.fields, value) : [];
  });

function textsIn(value: Value): string[] {
  if (typeof value === "string") return value.length < shortest ? [] : [value];
  if (Array.isArray(value)) return value.flatMap(textsIn);
  return isRecord(value) ? Object.values(value).flatMap(textsIn) : [];
}
