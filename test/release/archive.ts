import { gunzipSync, inflateRawSync } from "node:zlib";

/** Readers of zip and tar archives, which share no code with the writers. */

export interface Packed {
  readonly name: string;
  readonly mode: number;
  /** Time as the archive stores it: two numbers of DOS in a zip, seconds in a tar. */
  readonly time: readonly number[];
  readonly data: Buffer;
}

/** Reads the files of a zip in the order of its directory. Throws if directory and local headers differ. */
export function readZip(bytes: Buffer): Packed[] {
  const end = bytes.lastIndexOf(Buffer.from("504b0506", "hex"));
  const count = bytes.readUInt16LE(end + 10);
  const files: Packed[] = [];
  let at = bytes.readUInt32LE(end + 16);
  for (let file = 0; file < count; file++) {
    if (bytes.readUInt32LE(at) !== 0x02014b50) throw new Error(`no entry of the directory at ${at}`);
    const [nameLength, extra, comment] = [28, 30, 32].map((field) => bytes.readUInt16LE(at + field));
    const local = bytes.readUInt32LE(at + 42);
    if (bytes.readUInt32LE(local) !== 0x04034b50) throw new Error(`no local header at ${local}`);
    if (!bytes.subarray(at + 6, at + 32).equals(bytes.subarray(local + 4, local + 30)))
      throw new Error(`the local header at ${local} differs from the directory`);
    const data = local + 30 + (nameLength ?? 0) + bytes.readUInt16LE(local + 28);
    files.push({
      name: bytes.toString("utf8", at + 46, at + 46 + (nameLength ?? 0)),
      mode: bytes.readUInt16LE(at + 40),
      time: [bytes.readUInt16LE(at + 12), bytes.readUInt16LE(at + 14)],
      data: inflateRawSync(bytes.subarray(data, data + bytes.readUInt32LE(at + 20))),
    });
    at += 46 + (nameLength ?? 0) + (extra ?? 0) + (comment ?? 0);
  }
  return files;
}

/** Reads the files of a tar, which may be compressed. Throws if a checksum is wrong. */
export function readTar(packed: Buffer): Packed[] {
  const bytes = packed.readUInt16BE(0) === 0x1f8b ? gunzipSync(packed) : packed;
  const files: Packed[] = [];
  for (let at = 0; bytes[at] !== 0; ) {
    const header = Buffer.from(bytes.subarray(at, at + 512));
    const number = (from: number, size: number): number =>
      Number.parseInt(header.toString("latin1", from, from + size), 8);
    const sum = number(148, 8);
    header.fill(" ", 148, 156);
    if (header.reduce((total, byte) => total + byte, 0) !== sum) throw new Error(`wrong checksum at ${at}`);
    const size = number(124, 12);
    files.push({
      name: header.toString("utf8", 0, header.indexOf(0)),
      mode: number(100, 8),
      time: [number(136, 12)],
      data: bytes.subarray(at + 512, at + 512 + size),
    });
    at += 512 + Math.ceil(size / 512) * 512;
  }
  return files;
}
