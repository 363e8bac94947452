import { expect, test } from "@jest/globals";
import type { Entry } from "../../tools/release/entry.ts";
import { tar, tarGz } from "../../tools/release/tar.ts";
import { zip } from "../../tools/release/zip.ts";
import { readTar, readZip } from "./archive.ts";

/** Tests the archives of a release, whose bytes depend only on the files. */

const files: readonly Entry[] = [
  { name: "b/run", data: Buffer.from("#!/bin/sh\n".repeat(1_000)), mode: 0o755 },
  { name: "LICENSE", data: Buffer.alloc(0), mode: 0o644 },
  { name: "a", data: Buffer.alloc(512, "é"), mode: 0o644 },
];
const sorted = [files[1], files[2], files[0]];

test("a zip contains the files sorted by name, with their permissions, at one fixed time", async () => {
  const archive = await zip(files);
  // 08:15:00 on 1985-10-26 in the form of DOS.
  const time = [(8 << 11) | (15 << 5), (5 << 9) | (10 << 5) | 26];
  expect(readZip(archive)).toEqual(
    sorted.map((file) => ({ ...file, mode: 0o100000 | (file?.mode ?? 0), time })),
  );
  expect(await zip(files.toReversed())).toEqual(archive);
  expect(archive.length).toBeLessThan(800);
});

test("a tar contains the files sorted by name, with their permissions, at one fixed time, in whole blocks", async () => {
  const archive = tar(files);
  expect(readTar(archive)).toEqual(sorted.map((file) => ({ ...file, time: [499162500] })));
  expect(archive.length % 512).toBe(0);
  const compressed = await tarGz(files.toReversed());
  expect(readTar(compressed)).toEqual(readTar(archive));
  // A time or a file name would be in these bytes of the header.
  expect([...compressed.subarray(0, 8)]).toEqual([0x1f, 0x8b, 8, 0, 0, 0, 0, 0]);
});

test("a path that is too long for a header is rejected", () => {
  expect(() => tar([{ name: "x".repeat(101), data: Buffer.alloc(0), mode: 0o644 }])).toThrow(
    /^x{101} is longer than 100 bytes$/,
  );
});
