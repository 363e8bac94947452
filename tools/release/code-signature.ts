import { createHash } from "node:crypto";

/**
 * Ad-hoc signatures of executables for macOS: hashes of the pages, without a certificate. macOS does not start an arm64
 * executable without a signature, or any executable with an invalid one. Adding a program to the runtime invalidates its
 * signature.
 */

const pageBits = 12;
const page = 2 ** pageBits;
const hashSize = 32;
const [sha256, adHocLinkerSigned, mainBinary] = [2, 0x20002, 1n];
const [superBlob, codeDirectory] = [0xfade0cc0, 0xfade0c02];
const [segment64, codeSignature] = [0x19, 0x1d];
/** Offsets of the code directory in the signature, and of its identifier in the code directory. */
const [directoryAt, identifierAt] = [20, 88];

interface Command {
  readonly type: number;
  readonly at: number;
}

/** Returns the load commands of a Mach-O file of 64 bits. */
function commandsOf(file: Buffer): Command[] {
  const commands: Command[] = [];
  let offset = 32;
  for (let left = file.readUInt32LE(16); left > 0; left--) {
    commands.push({ type: file.readUInt32LE(offset), at: offset });
    offset += file.readUInt32LE(offset + 4);
  }
  return commands;
}

/** Replaces the signature of an executable by an ad-hoc signature. */
export function signAdHoc(executable: Buffer, identifier: string): Buffer {
  const file = Buffer.from(executable);
  const commands = commandsOf(file);
  const segment = (name: string): number => {
    const found = commands.find(
      ({ type, at: offset }) =>
        type === segment64 && file.toString("latin1", offset + 8, offset + 24).startsWith(`${name}\0`),
    );
    if (found === undefined) throw new TypeError(`the executable has no segment ${name}`);
    return found.at;
  };
  const command = commands.find(({ type }) => type === codeSignature)?.at;
  if (command === undefined) throw new TypeError("the executable has no place for a signature");
  const code = file.readUInt32LE(command + 8);
  const pages = Math.ceil(code / page);
  const hashesAt = identifierAt + Buffer.byteLength(identifier) + 1;
  const size = directoryAt + hashesAt + pages * hashSize;

  // The signature is the end of the last segment. Its sizes are hashed too.
  const [text, last] = [segment("__TEXT"), segment("__LINKEDIT")];
  const lastSize = BigInt(code + size) - file.readBigUInt64LE(last + 40);
  file.writeUInt32LE(size, command + 12);
  file.writeBigUInt64LE(lastSize, last + 48);
  const [pageOfArm64, memory] = [0x4000n, file.readBigUInt64LE(last + 32)];
  if (lastSize > memory)
    file.writeBigUInt64LE(((lastSize + pageOfArm64 - 1n) / pageOfArm64) * pageOfArm64, last + 32);

  const signature = Buffer.alloc(size);
  const words = [superBlob, size, 1, 0, directoryAt];
  const directory = [
    ...[codeDirectory, size - directoryAt, 0x20400, adHocLinkerSigned, hashesAt, identifierAt],
    ...[0, pages, code],
  ];
  for (const [index, word] of [...words, ...directory].entries()) signature.writeUInt32BE(word, index * 4);
  signature.set([hashSize, sha256, 0, pageBits], directoryAt + 36);
  signature.writeBigUInt64BE(file.readBigUInt64LE(text + 40), directoryAt + 64);
  signature.writeBigUInt64BE(file.readBigUInt64LE(text + 48), directoryAt + 72);
  signature.writeBigUInt64BE(mainBinary, directoryAt + 80);
  signature.write(`${identifier}\0`, directoryAt + identifierAt);
  for (let index = 0; index < pages; index++) {
    const content = file.subarray(index * page, Math.min((index + 1) * page, code));
    const hash = createHash("sha256").update(content).digest();
    signature.set(hash, directoryAt + hashesAt + index * hashSize);
  }
  return Buffer.concat([file.subarray(0, code), signature]);
}
