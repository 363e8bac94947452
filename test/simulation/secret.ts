/**
 * Prefix of every secret of a schedule, which occurs in no other text: a text that quotes a secret, in any reversible form,
 * contains it. The characters after the prefix differ in URLs, in JSON and in base64.
 */
const mark = "canary";

/**
 * Secrets of the provider's configuration and inputs. None has shell operators, since a firewall may reject them
 * (docs/contract.md#1.1).
 */
export const secrets = {
  apiKey: `${mark}/+"key"\\1`,
  password: `${mark} pass+"word"\\2/é`,
  wrongPassword: `${mark}:one-time+"9"`,
  secretKey: `${mark}/pair=\\"8"`,
  userData: `#!/bin/sh\necho ${mark} "user" \\3 > /srv/é`,
  userDataBase64: Buffer.from(`#!/bin/sh\necho ${mark} "base64" \\4`).toString("base64"),
  gatewayPassword: `${mark}?gate=way&"5"\\`,
  modelApiKey: `${mark}_model/+"6"\\`,
  podPassword: `${mark}:pod/+"7"\\`,
} as const;

/** Returns the part of a text's base64 form that does not depend on its neighbours, with `shift` bytes before it. */
function within(text: string, shift: number): string {
  const bytes = Buffer.from(text);
  const encoded = Buffer.concat([Buffer.alloc(shift), bytes]).toString("base64");
  return encoded.slice(Math.ceil((shift * 8) / 6), Math.floor(((shift + bytes.length) * 8) / 6));
}

/** Finds secrets in texts, including those that the API returned. */
export interface LeakFinder {
  /** Returns true if a text contains a secret. */
  finds(text: string): boolean;
  learn(secret: string): void;
}

export function createLeakFinder(): LeakFinder {
  const signs = [mark, ...[0, 1, 2].map((shift) => within(mark, shift))];
  const given = new Set<string>();
  return {
    finds(text) {
      for (const sign of signs) if (text.includes(sign)) return true;
      for (const one of given) if (text.includes(one)) return true;
      return false;
    },
    learn: (secret) => given.add(secret),
  };
}
