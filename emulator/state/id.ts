import { hash } from "node:crypto";

/** Default account number and customer UUID of KRNs; no real account has them. */
export const account = "000000000000";
export const customer = "00000000-0000-4000-8000-000000000000";

function digest(seed: string, label: string, n: number): Buffer {
  return hash("sha256", `${seed}\0${label}\0${n}`, "buffer");
}

/** Returns the nth UUID of a kind, derived from the seed. */
export function seededUuid(seed: string, kind: string, n: number): string {
  const bytes = digest(seed, kind, n).subarray(0, 16);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x40, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  const hex = bytes.toString("hex");
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-");
}

/** Returns the nth draw from 0 (inclusive) to 1 (exclusive), derived from the seed. */
export function seededDraw(seed: string, label: string, n: number): number {
  return digest(seed, label, n).readUInt32BE(0) / 2 ** 32;
}

/** Account number and customer UUID, the fourth and fifth part of a KRN. */
export interface Owner {
  readonly account: string;
  readonly customer: string;
}

/** Builds a KRN in the seven-part form of docs/contract.md#1.4. */
export function krnOf(
  { account, customer }: Owner,
  service: string,
  region: string,
  type: string,
  uuid: string,
): string {
  return ["krn", service, region, account, customer, type, uuid].join(":");
}

/** Returns the account and the customer in a KRN. */
export function ownerOf(krn: string): Owner {
  const [, , , account = "", customer = ""] = krn.split(":");
  return { account, customer };
}

/** Returns the last part of a KRN, the bare UUID. */
export function uuidOf(krn: string): string {
  return krn.slice(krn.lastIndexOf(":") + 1);
}
