import { basename, dirname, join } from "node:path";
import manifest from "../../package.json" with { type: "json" };
import type { Session } from "../../provider/engine/engine.ts";
import { type Journal, openJournal } from "../journal.ts";

/** Continuation of an interrupted export by the next one to the same folder. */

/** Returns the version, the address, the account, the region and the credentials as a text. */
function originOf({ settings }: Session): string {
  const { baseUrl, identity, region, accountId, customerId, user, objectKeys } = settings;
  return JSON.stringify([
    manifest.version,
    baseUrl,
    identity,
    region,
    accountId,
    customerId,
    user,
    objectKeys,
  ]);
}

/** Returns the secrets of the settings. */
function secretsOf({ settings: { identity, objectKeys } }: Session): string[] {
  const login = "apiKey" in identity ? identity.apiKey : identity.password;
  return [login, objectKeys?.secretKey].flatMap((secret) => secret || []);
}

/** Opens the journal of the exports to a folder, and says on standard error what it continues. */
export function journalFor(folder: string, session: Session): Journal | undefined {
  const path = join(dirname(folder), `.${basename(folder)}.kcloud-export`);
  // The text is JSON. A redaction, which also finds encoded secrets, would take most of the time of a large export.
  const secrets = secretsOf(session).map((secret) => JSON.stringify(secret).slice(1, -1));
  const canStore = (text: string) => !secrets.some((secret) => text.includes(secret));
  const journal = openJournal(path, { origin: originOf(session), canStore });
  if (journal !== undefined && journal.found > 0)
    process.stderr.write(
      `kcloud export: continues an interrupted export: ${journal.found} responses of the last 15 minutes are in ${path}\n`,
    );
  return journal;
}
