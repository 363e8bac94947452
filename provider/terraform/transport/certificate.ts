import { createHash, generateKeyPairSync, type KeyObject, sign } from "node:crypto";

/**
 * The certificate of one end of a plugin connection: self-signed ECDSA P-256 for the name "localhost", which is
 * what an engine's AutoMTLS verifies. A DER writer of this size costs 2 ms a start; the X.509 libraries cost 130 and more.
 */
export interface Certificate {
  readonly key: string;
  readonly cert: string;
  readonly der: Buffer;
}

const tag = {
  integer: 0x02,
  bitString: 0x03,
  octetString: 0x04,
  objectId: 0x06,
  utf8String: 0x0c,
  utcTime: 0x17,
  sequence: 0x30,
  set: 0x31,
  dnsName: 0x82,
  version: 0xa0,
  extensions: 0xa3,
} as const;

/** Tag, length, content. Nothing in a certificate of this kind is longer than two length bytes can say. */
function der(kind: number, ...parts: Uint8Array[]): Buffer {
  const content = Buffer.concat(parts);
  const length =
    content.length < 0x80
      ? [content.length]
      : content.length < 0x100
        ? [0x81, content.length]
        : [0x82, content.length >> 8, content.length & 0xff];
  return Buffer.concat([Buffer.from([kind, ...length]), content]);
}

const sequence = (...parts: Uint8Array[]) => der(tag.sequence, ...parts);
const objectId = (hex: string) => der(tag.objectId, Buffer.from(hex, "hex"));
/** A bit string of whole bytes. */
const bits = (content: Uint8Array) => der(tag.bitString, Buffer.of(0), content);

const ecdsaWithSha256 = sequence(objectId("2a8648ce3d040302"));
const commonName = objectId("550403");
const subjectAltName = objectId("551d11");
const extendedKeyUsage = objectId("551d25");
const serverAuth = objectId("2b06010505070301");
const clientAuth = objectId("2b06010505070302");

const name = sequence(der(tag.set, sequence(commonName, der(tag.utf8String, Buffer.from("localhost")))));
const extensions = der(
  tag.extensions,
  sequence(
    sequence(subjectAltName, der(tag.octetString, sequence(der(tag.dnsName, Buffer.from("localhost"))))),
    sequence(extendedKeyUsage, der(tag.octetString, sequence(serverAuth, clientAuth))),
  ),
);

/** `YYMMDDhhmmssZ`, the form of all years before 2050. */
const utcTime = (milliseconds: number) =>
  der(
    tag.utcTime,
    Buffer.from(
      `${new Date(milliseconds)
        .toISOString()
        .replace(/\.\d+Z|[-:T]/g, "")
        .slice(2)}Z`,
    ),
  );

/** Sixteen bytes of the key's hash: unique as the key is, and positive by its first byte. */
function serial(publicKey: Uint8Array): Buffer {
  const number = createHash("sha256").update(publicKey).digest().subarray(0, 16);
  number[0] = 0x40 | (Number(number[0]) & 0x3f);
  return der(tag.integer, number);
}

const pem = (label: string, content: Buffer): string =>
  [
    `-----BEGIN ${label}-----`,
    ...(content.toString("base64").match(/.{1,64}/g) ?? []),
    `-----END ${label}-----\n`,
  ].join("\n");

const hour = 3_600_000;

/** The certificate of a key pair, valid from an hour before `now` (milliseconds since 1970) for a year. */
export function certify(publicKey: KeyObject, privateKey: KeyObject, now: number): Buffer {
  const info = publicKey.export({ type: "spki", format: "der" });
  const body = sequence(
    der(tag.version, der(tag.integer, Buffer.of(2))),
    serial(info),
    ecdsaWithSha256,
    name,
    sequence(utcTime(now - hour), utcTime(now + 365 * 24 * hour)),
    name,
    info,
    extensions,
  );
  return sequence(body, ecdsaWithSha256, bits(sign("sha256", body, privateKey)));
}

/** A fresh key and its certificate. */
export function makeCertificate(now: number): Certificate {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "prime256v1" });
  const made = certify(publicKey, privateKey, now);
  return {
    key: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
    cert: pem("CERTIFICATE", made),
    der: made,
  };
}
