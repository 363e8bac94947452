import { createHash } from "node:crypto";

/** Readers of executables: platform, required libraries and signature. */

/** Version of the form MAJOR.MINOR, as a number for comparisons. */
const order = (version: string): number => {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  return major * 1_000 + minor;
};

export interface Elf {
  readonly format: "ELF";
  readonly machine: string;
  /** Dynamic loader. */
  readonly loader: string;
  readonly libraries: readonly string[];
  /** Oldest version of glibc on which the executable runs, from the versions that its symbols need; undefined without any. */
  readonly glibc: string | undefined;
}

export interface MachO {
  readonly format: "Mach-O";
  readonly machine: string;
  /** True if the signature is ad hoc and has the hashes of the pages; undefined without a signature. */
  readonly adHoc: boolean | undefined;
}

export interface Pe {
  readonly format: "PE";
  readonly machine: string;
}

/** Reads an executable. Throws for another format. */
export function readBinary(bytes: Buffer): Elf | MachO | Pe {
  if (bytes.readUInt32BE(0) === 0x7f454c46) return readElf(bytes);
  if (bytes.readUInt32LE(0) === 0xfeedfacf) return readMachO(bytes);
  if (bytes.toString("latin1", 0, 2) === "MZ") return readPe(bytes);
  throw new Error(`no executable begins with ${bytes.toString("hex", 0, 4)}`);
}

const big = (bytes: Buffer, at: number): number => Number(bytes.readBigUInt64LE(at));
const textAt = (bytes: Buffer, at: number): string => bytes.toString("latin1", at, bytes.indexOf(0, at));

function readElf(bytes: Buffer): Elf {
  const machines: Readonly<Record<number, string>> = { 62: "x86-64", 183: "AArch64" };
  const sections = Array.from({ length: bytes.readUInt16LE(60) }, (_, index) => {
    const at = big(bytes, 40) + index * 64;
    return {
      type: bytes.readUInt32LE(at + 4),
      offset: big(bytes, at + 24),
      size: big(bytes, at + 32),
      link: bytes.readUInt32LE(at + 40),
      count: bytes.readUInt32LE(at + 44),
    };
  });
  const programs = Array.from({ length: bytes.readUInt16LE(56) }, (_, index) => {
    const at = big(bytes, 32) + index * 56;
    return { type: bytes.readUInt32LE(at), offset: big(bytes, at + 8) };
  });
  const find = (type: number) => sections.find((section) => section.type === type);
  const dynamic = find(6);
  const strings = sections[dynamic?.link ?? 0]?.offset ?? 0;
  const libraries: string[] = [];
  for (let at = dynamic?.offset ?? 0; at < (dynamic?.offset ?? 0) + (dynamic?.size ?? 0); at += 16)
    if (big(bytes, at) === 1) libraries.push(textAt(bytes, strings + big(bytes, at + 8)));
  const interpreter = programs.find(({ type }) => type === 3);
  return {
    format: "ELF",
    machine: machines[bytes.readUInt16LE(18)] ?? "another",
    loader: textAt(bytes, interpreter?.offset ?? 0),
    libraries: libraries.toSorted(),
    glibc: neededVersions(bytes, find(0x6ffffffe), sections)
      .filter((name) => /^GLIBC_[\d.]+$/.test(name))
      .map((name) => name.slice("GLIBC_".length))
      .toSorted((a, b) => order(b) - order(a))[0],
  };
}

interface Section {
  readonly offset: number;
  readonly link: number;
  readonly count: number;
}

/** Returns the names of the symbol versions that a section of needed versions lists. */
function neededVersions(bytes: Buffer, section: Section | undefined, sections: readonly Section[]): string[] {
  if (section === undefined) return [];
  const strings = sections[section.link]?.offset ?? 0;
  const names: string[] = [];
  let at = section.offset;
  for (let file = 0; file < section.count; file++) {
    let version = at + bytes.readUInt32LE(at + 8);
    for (let left = bytes.readUInt16LE(at + 2); left > 0; left--) {
      names.push(textAt(bytes, strings + bytes.readUInt32LE(version + 8)));
      version += bytes.readUInt32LE(version + 12);
    }
    at += bytes.readUInt32LE(at + 12);
  }
  return names;
}

function readMachO(bytes: Buffer): MachO {
  const machines: Readonly<Record<number, string>> = { 16777223: "x86-64", 16777228: "arm64" };
  let at = 32;
  let signature: number | undefined;
  for (let left = bytes.readUInt32LE(16); left > 0; left--) {
    if (bytes.readUInt32LE(at) === 0x1d) signature = bytes.readUInt32LE(at + 8);
    at += bytes.readUInt32LE(at + 4);
  }
  return {
    format: "Mach-O",
    machine: machines[bytes.readUInt32LE(4)] ?? "another",
    adHoc: signature === undefined ? undefined : isAdHoc(bytes, signature),
  };
}

/** Returns true if the signature is ad hoc, and if the hash of every page of the code is right. */
function isAdHoc(bytes: Buffer, signature: number): boolean {
  const [codeDirectory, sha256, adHoc] = [0xfade0c02, 2, 2];
  const directory = signature + bytes.readUInt32BE(signature + 16);
  if (bytes.readUInt32BE(directory) !== codeDirectory) throw new Error("the signature has no code directory");
  const hashes = directory + bytes.readUInt32BE(directory + 16);
  const count = bytes.readUInt32BE(directory + 28);
  const limit = bytes.readUInt32BE(directory + 32);
  const [size = 0, kind] = [bytes[directory + 36], bytes[directory + 37]];
  const page = 2 ** (bytes[directory + 39] ?? 0);
  const isRight = (index: number): boolean => {
    const code = bytes.subarray(index * page, Math.min((index + 1) * page, limit));
    const hash = createHash("sha256").update(code).digest();
    return hash.equals(bytes.subarray(hashes + index * size, hashes + (index + 1) * size));
  };
  return (
    kind === sha256 &&
    limit === signature &&
    count === Math.ceil(limit / page) &&
    (bytes.readUInt32BE(directory + 12) & adHoc) !== 0 &&
    Array.from({ length: count }, (_, index) => index).every(isRight)
  );
}

function readPe(bytes: Buffer): Pe {
  const machines: Readonly<Record<number, string>> = { 34404: "x86-64", 43620: "ARM64" };
  const header = bytes.readUInt32LE(0x3c);
  if (bytes.toString("latin1", header, header + 4) !== "PE\0\0") throw new Error("it is for DOS");
  return { format: "PE", machine: machines[bytes.readUInt16LE(header + 4)] ?? "another" };
}
