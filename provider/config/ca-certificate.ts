import { X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import { ConfigError } from "../core/error.ts";

/** The certificates of a file (PEM). Throws `ConfigError` that names the file where it holds none that can be read. */
export function readCertificates(file: string): string {
  const refuse = (problem: string) =>
    new ConfigError([{ path: ["caCertFile"], problem: `${file} ${problem}` }]);
  const text = textOf(file);
  if (text === undefined) throw refuse("cannot be read");
  const found = text.match(/-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g) ?? [];
  if (found.length === 0) throw refuse("holds no certificate (PEM)");
  const broken = found.findIndex((pem) => !isCertificate(pem));
  if (broken >= 0)
    throw refuse(`holds a certificate that cannot be read, the ${broken + 1}. of ${found.length}`);
  return found.join("\n");
}

/** The content of a file; undefined where it cannot be read, for whatever reason. */
export function textOf(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return undefined;
  }
}

function isCertificate(pem: string): boolean {
  try {
    return new X509Certificate(pem).subject !== undefined;
  } catch {
    return false;
  }
}
