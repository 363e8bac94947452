import { hash, randomBytes } from "node:crypto";
import type { Given } from "../provider/config/config.ts";
import { credentialNames, credentialsIn } from "./key.ts";
import type { Objects, Rights } from "./object/object.ts";
import type { toolParts } from "./object/part.ts";
import { createPreviews, type Previews } from "./preview.ts";

/** Part of the program with the engine of the provider, which is loaded when a tool needs it. */
export type EnginePart = typeof toolParts;

/** Look-ups of an account, or the problem of a setting as a text. */
export type Opened = Objects | { readonly problem: string };

/** Account that is opened when the first tool uses it. */
export interface Account {
  objects(): Promise<Opened>;
  /** Begins a call, and returns a function that ends it; undefined if too many run. */
  begin(): (() => void) | undefined;
  /** Previews of the clients without a session. */
  readonly previews: Previews;
  /** Returns true once the API has accepted the key: an invented one ends no session of another key. */
  isAccepted(): boolean;
  /** Returns the credentials, which no result and no line of the log may contain. */
  secrets(): readonly string[];
  close(): Promise<void>;
}

/** Maximum number of calls with one key that run at once, of all its sessions. */
export const mostCalls = 16;

/** Returns an account. Sends nothing. `open` returns its look-ups and its settings. */
export function accountOf(open: () => Promise<{ readonly opened: Opened; readonly given: Given }>): Account {
  let running: ReturnType<typeof open> | undefined;
  let secrets: readonly string[] = [];
  let isAccepted = () => false;
  let calls = 0;
  return {
    async objects() {
      running ??= open();
      const { opened, given } = await running;
      secrets = credentialsIn(given);
      // Another call may find a profile that was corrected.
      if ("problem" in opened) running = undefined;
      else isAccepted = opened.isAccepted;
      return opened;
    },
    begin() {
      if (calls >= mostCalls) return undefined;
      calls += 1;
      return () => {
        calls -= 1;
      };
    },
    previews: createPreviews(),
    isAccepted: () => isAccepted(),
    secrets: () => secrets,
    async close() {
      const opened = (await running?.catch(() => undefined))?.opened;
      if (opened !== undefined && !("problem" in opened)) await opened.close();
    },
  };
}

/** Accounts of a server whose requests carry their keys, by the digests of the keys. */
export interface Accounts {
  /** Returns the digest of a key, which differs from process to process. */
  digest(key: string): string;
  /** Returns the account of a key. */
  of(key: string): Account;
  /** Returns the credentials of all accounts. */
  secrets(): readonly string[];
  close(): Promise<void>;
}

/**
 * Maximum number of accounts in memory. The one that was used the longest time ago is closed first, and before those whose key the API has
 * accepted every other one.
 */
const mostAccounts = 200;

/** Creates the accounts of a server. Their settings are those of the server, with the key of a request as the only credential. */
export function createAccounts(
  given: Given,
  { openObjects }: Pick<EnginePart, "openObjects">,
  rights?: Rights,
): Accounts {
  const salt = randomBytes(32).toString("base64url");
  const known = new Map<string, { readonly account: Account; readonly key: string }>();
  const own: ReadonlySet<string> = new Set([
    ...credentialNames,
    ...["email", "accountUser", "oneTimePasswordVariable", "otpCommand"],
  ]);
  const shared = Object.fromEntries(Object.entries(given).filter(([name]) => !own.has(name)));
  const digest = (key: string) => hash("sha256", salt + key, "base64url");
  return {
    digest,
    of(key) {
      const name = digest(key);
      const settings = { ...shared, apiKey: key };
      const entry = known.get(name) ?? {
        account: accountOf(async () => ({ opened: openObjects(settings, rights), given: settings })),
        key,
      };
      known.delete(name);
      known.set(name, entry);
      if (known.size > mostAccounts) {
        const others = [...known].slice(0, -1);
        const last = others.find(([, { account }]) => !account.isAccepted()) ?? others[0];
        known.delete(last?.[0] ?? "");
        void last?.[1].account.close();
      }
      return entry.account;
    },
    secrets: () => [...known.values()].map(({ key }) => key),
    async close() {
      await Promise.allSettled([...known.values()].map(({ account }) => account.close()));
      known.clear();
    },
  };
}
