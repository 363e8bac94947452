import { createHash, generateKeyPairSync, type KeyObject, sign } from "node:crypto";

/**
 * Certificate of one end of a plugin connection: self-signed, ECDSA P-256, for the name "localhost", as AutoMTLS of
 * engines requires. This DER writer costs 2 ms per start; X.509 libraries cost 130 ms and more.
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

/** Returns the serial number: sixteen bytes of the hash of the key, with a first byte that makes the number positive. */
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

/** Returns the certificate of a key pair in DER, valid from an hour before `now` (ms since 1970) to a year after it. */
export function certify(publicKey: KeyObject, privateKey: KeyObject, now: number): Buffer {
  const info = publicKey.export({ type: "spki", format: "der" });
  const body = sequence(
    der(tag.version, der(tag.integer, Buffer.of(2))),
    serial(info),
    algorithm(),
    localhostName(),
    sequence(utcTime(now - hour), utcTime(now + 365 * 24 * hour)),
    localhostName(),
    info,
    extensions(),
  );
  return sequence(body, algorithm(), bits(sign("sha256", body, privateKey)));
}

/** Generates a key and its certificate. */
export function makeCertificate(now: number): Certificate {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "prime256v1" });
  const made = certify(publicKey, privateKey, now);
  return {
    key: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
    cert: pem("CERTIFICATE", made),
    der: made,
  };
}
