/**
 * Every secret of a schedule begins with this word, which stands in nothing else: whoever shows a part of one, in any
 * form that can be turned back, shows the word. What follows has another form in addresses, in JSON and in base64.
 */
const mark = "canary";

/** What a user trusts the provider with. None of it has shell text, which a firewall refuses (docs/contract.md#1.1). */
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

/** What of a text's base64 does not depend on its neighbours, when `shift` bytes stand before it. */
function within(text: string, shift: number): string {
  const bytes = Buffer.from(text);
  const encoded = Buffer.concat([Buffer.alloc(shift), bytes]).toString("base64");
  return encoded.slice(Math.ceil((shift * 8) / 6), Math.floor(((shift + bytes.length) * 8) / 6));
}

/** Looks for secrets in texts; those that a cloud gives out are told to it. */
export interface LeakFinder {
  /** Whether a text gives one away. */
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
