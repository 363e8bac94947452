import { redactor } from "../client/client.ts";
import type { Values } from "../core/value.ts";
import type { Fields } from "../definition/field.ts";
import { secretsIn } from "../definition/secret.ts";
import type { Session } from "./session.ts";

/** Returns a session that also redacts the secrets of these values from every text, since the API may quote them. */
export function withRedaction(
  session: Session,
  { fields }: { readonly fields: Fields },
  ...all: readonly Values[]
): Session {
  let redact: ((text: string) => string) | undefined;
  return {
    ...session,
    redact(text) {
      redact ??= redactor(all.flatMap((values) => secretsIn(fields, values)));
      return redact(session.redact(text));
    },
  };
}
