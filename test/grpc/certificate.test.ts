import { createPrivateKey, X509Certificate } from "node:crypto";
import { expect, test } from "@jest/globals";
import { certificateBytes, makeCertificate } from "../../provider/grpc/certificate.ts";

const now = Date.UTC(2026, 10, 21, 1, 2, 3);

test("the certificate is valid for localhost only, as server and client, for a year from an hour ago", () => {
  const certificate = new X509Certificate(makeCertificate(now).der);
  expect(certificate.subject).toBe("CN=localhost");
  expect(certificate.issuer).toBe("CN=localhost");
  expect(certificate.subjectAltName).toBe("DNS:localhost");
  expect(certificate.checkHost("localhost")).toBe("localhost");
  expect(certificate.checkHost("example.com")).toBeUndefined();
  expect(certificate.keyUsage).toEqual(["1.3.6.1.5.5.7.3.1", "1.3.6.1.5.5.7.3.2"]);
  expect(certificate.validFromDate.toISOString()).toBe("2026-11-21T00:02:03.000Z");
  expect(certificate.validToDate.toISOString()).toBe("2027-11-21T01:02:03.000Z");
  expect(certificate.publicKey.asymmetricKeyDetails).toEqual({ namedCurve: "prime256v1" });
});

test("the certificates of two thousand keys verify, with integers of every length", () => {
  const rounds = 2000;
  const serials = new Set<string>();
  const lengths = new Set<number>();
  for (let round = 0; round < rounds; round++) {
    const made = makeCertificate(now + round * 86_400_000);
    const certificate = new X509Certificate(made.cert);
    const faults = [
      certificate.raw.equals(made.der) ? undefined : "PEM and DER differ",
      certificate.verify(certificate.publicKey) ? undefined : "the signature does not verify",
      certificate.checkIssued(certificate) ? undefined : "it is not its own issuer",
      certificate.checkHost("localhost") === "localhost" ? undefined : "the name is not localhost",
      certificate.checkPrivateKey(createPrivateKey(made.key)) ? undefined : "the key is another one",
      certificateBytes(made.cert).equals(made.der) ? undefined : "the bytes of the PEM form differ",
    ].filter((fault) => fault !== undefined);
    if (faults.length > 0) throw new Error(`${faults.join(", ")}:\n${made.cert}`);
    serials.add(certificate.serialNumber);
    lengths.add(made.der.length);
  }
  expect(serials.size).toBe(rounds);
  expect(lengths.size).toBeGreaterThan(1);
});
