import { generateKeyPairSync, type JsonWebKey, type KeyObject, sign } from "node:crypto";

/**
 * Certificate of one end of a plugin connection: self-signed, ECDSA P-256, for the name "localhost", as AutoMTLS of
 * engines requires. This DER writer costs 1 ms per start; X.509 libraries cost 130 ms and more.
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
  curve: 0xa0,
  publicKey: 0xa1,
} as const;

/** Encodes tag, length and content. Lengths of up to two bytes suffice for this certificate. */
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
/** Encodes a bit string of whole bytes. */
const bits = (content: Uint8Array) => der(tag.bitString, Buffer.of(0), content);

/** Object identifiers in DER. */
const oid = {
  ecdsaWithSha256: "2a8648ce3d040302",
  ecPublicKey: "2a8648ce3d0201",
  prime256v1: "2a8648ce3d030107",
  commonName: "550403",
  subjectAltName: "551d11",
  extendedKeyUsage: "551d25",
  serverAuth: "2b06010505070301",
  clientAuth: "2b06010505070302",
} as const;

// Functions instead of constants, so that bundles without certificates can omit them.
const algorithm = () => sequence(objectId(oid.ecdsaWithSha256));

const localhostName = () =>
  sequence(der(tag.set, sequence(objectId(oid.commonName), der(tag.utf8String, Buffer.from("localhost")))));

const extensions = () =>
  der(
    tag.extensions,
    sequence(
      sequence(
        objectId(oid.subjectAltName),
        der(tag.octetString, sequence(der(tag.dnsName, Buffer.from("localhost")))),
      ),
      sequence(
        objectId(oid.extendedKeyUsage),
        der(tag.octetString, sequence(objectId(oid.serverAuth), objectId(oid.clientAuth))),
      ),
    ),
  );

/** Encodes a time as `YYMMDDhhmmssZ`, the format for years before 2050. */
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

/** Returns the serial number: sixteen bytes of the public key, with a first byte that makes the number positive. */
function serial(publicKey: Uint8Array): Buffer {
  const number = Buffer.from(publicKey.subarray(1, 17));
  number[0] = 0x40 | (Number(number[0]) & 0x3f);
  return der(tag.integer, number);
}

const pem = (label: string, content: Buffer): string =>
  [
    `-----BEGIN ${label}-----`,
    ...(content.toString("base64").match(/.{1,64}/g) ?? []),
    `-----END ${label}-----\n`,
  ].join("\n");

/** Returns the bytes of a certificate in PEM form. */
export const certificateBytes = (pem: string): Buffer =>
  Buffer.from(pem.replace(/-----(BEGIN|END) CERTIFICATE-----/g, ""), "base64");

/**
 * Returns a function that returns an error for each certificate but the one of the engine, in PEM form. The handshake of a
 * connection must have proved that the client has the key of its certificate.
 */
export function clientCheck(
  engine: string,
): (client: { readonly raw: Buffer } | undefined) => Error | undefined {
  const expected = certificateBytes(engine);
  return (client) =>
    client?.raw.equals(expected)
      ? undefined
      : new Error("the certificate of the client is not that of the engine");
}

const hour = 3_600_000;

/** Encodes the certificate of a key, valid from an hour before `now` (ms since 1970) to a year after it. */
function certify(publicKey: Buffer, privateKey: KeyObject, now: number): Buffer {
  const body = sequence(
    der(tag.version, der(tag.integer, Buffer.of(2))),
    serial(publicKey),
    algorithm(),
    localhostName(),
    sequence(utcTime(now - hour), utcTime(now + 365 * 24 * hour)),
    localhostName(),
    sequence(sequence(objectId(oid.ecPublicKey), objectId(oid.prime256v1)), bits(publicKey)),
    extensions(),
  );
  return sequence(body, algorithm(), bits(sign("sha256", body, privateKey)));
}

/** Encodes a private key with its public key as an `ECPrivateKey` (RFC 5915). */
const encodeKey = (secret: Uint8Array, publicKey: Buffer): Buffer =>
  sequence(
    der(tag.integer, Buffer.of(1)),
    der(tag.octetString, secret),
    der(tag.curve, objectId(oid.prime256v1)),
    der(tag.publicKey, bits(publicKey)),
  );

/** Returns a member of a key in bytes. */
const keyPart = (key: JsonWebKey, name: "x" | "y" | "d"): Buffer => Buffer.from(key[name] ?? "", "base64url");

/** Generates a key and its certificate. A JWK is exported without OpenSSL's encoders, which take a millisecond to load. */
export function makeCertificate(now: number): Certificate {
  const { privateKey } = generateKeyPairSync("ec", { namedCurve: "prime256v1" });
  const parts = privateKey.export({ format: "jwk" });
  const publicKey = Buffer.concat([Buffer.of(0x04), keyPart(parts, "x"), keyPart(parts, "y")]);
  const certificate = certify(publicKey, privateKey, now);
  return {
    key: pem("EC PRIVATE KEY", encodeKey(keyPart(parts, "d"), publicKey)),
    cert: pem("CERTIFICATE", certificate),
    der: certificate,
  };
}
