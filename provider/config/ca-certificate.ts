import { X509Certificate } from "node:crypto";
import { ConfigError } from "../core/error.ts";
import { readRegularFile } from "./regular-file.ts";

/**
 * Returns the certificates (PEM) of a file as one text. Throws `ConfigError` with the path if the file cannot be read,
 * contains no certificate, or contains one that cannot be parsed.
 */
export function readCertificates(file: string): string {
  const refuse = (problem: string) =>
    new ConfigError([{ path: ["caCertFile"], problem: `${file} ${problem}` }]);
  const text = readRegularFile(file)?.text;
  if (text === undefined) throw refuse("cannot be read");
  const found = text.match(/-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g) ?? [];
  if (found.length === 0) throw refuse("contains no certificate (PEM)");
  const broken = found.findIndex((pem) => !isCertificate(pem));
  if (broken >= 0)
    throw refuse(`contains a certificate that cannot be read, the ${broken + 1}. of ${found.length}`);
  return found.join("\n");
}

function isCertificate(pem: string): boolean {
  try {
    return new X509Certificate(pem).subject !== undefined;
  } catch {
    return false;
  }
}
