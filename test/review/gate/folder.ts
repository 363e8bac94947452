import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach } from "@jest/globals";

/** Folders of policies; hooks remove them after each test. */

let root: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "kcloud-policy-"));
});

afterEach(() => rmSync(root, { recursive: true }));

/** Writes these files into a folder; returns its path. */
export function folder(name: string, files: Readonly<Record<string, string | object>>): string {
  const path = join(root, name);
  mkdirSync(join(path, "rules"), { recursive: true });
  for (const [file, content] of Object.entries(files))
    writeFileSync(join(path, file), typeof content === "string" ? content : JSON.stringify(content));
  return path;
}

export const waiver = {
  rule: "DATA-01",
  address: "kcloud_volume.a",
  owner: "ann",
  reason: "empty",
  until: "2027-01-31",
};
