/** Tells whether a text gives a secret away: as it is, or in a form that can be turned back. */
export function leakFinder(secrets: readonly string[]): (text: string) => boolean {
  const forms = secrets.flatMap((secret) => [
    secret,
    JSON.stringify(secret).slice(1, -1),
    JSON.stringify(JSON.stringify(secret)).slice(3, -3),
    encodeURIComponent(secret),
    encodeURIComponent(secret).toLowerCase(),
    ...[0, 1, 2].flatMap((shift) =>
      ["base64", "base64url"].map((form) => within(secret, shift, form as "base64")),
    ),
  ]);
  return (text) => forms.some((form) => text.includes(form));
}

/** What of its base64 does not depend on its neighbours, when `shift` bytes stand before it. */
function within(secret: string, shift: number, form: "base64" | "base64url"): string {
  const bytes = Buffer.from(secret);
  const text = Buffer.concat([Buffer.alloc(shift), bytes]).toString(form);
  return text.slice(Math.ceil((shift * 8) / 6), Math.floor(((shift + bytes.length) * 8) / 6));
}
