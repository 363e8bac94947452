import {
  appendFileSync,
  chmodSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { longestAgeMs, openJournal } from "../../account/journal.ts";

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "kcloud-journal-"));
  path = join(folder, ".project.kcloud-export");
});
afterEach(() => rmSync(folder, { recursive: true }));

const open = (origin = "account", now = 0) =>
  openJournal(path, { origin, canStore: (text) => !text.includes("secret"), now: () => now });

test("the results of an earlier run are there, except one that a crash has truncated", () => {
  const first = open();
  first?.put("a", [{ id: "1" }]);
  first?.put("b", { id: "2" });
  appendFileSync(path, `${"0".repeat(64)} {"key":"c","at":0,"resu`);
  const second = open("account", 1_000);
  second?.put("d", 4);
  const third = open("account", 2_000);
  expect([first?.found, second?.found, third?.found]).toEqual([0, 2, 3]);
  expect(["a", "b", "c", "d"].map((key) => third?.get(key))).toEqual([
    [{ id: "1" }],
    { id: "2" },
    undefined,
    4,
  ]);
});

test("results of another account, and results that are too old or of the future, are not used", () => {
  open()?.put("a", 1);
  expect(open("account", longestAgeMs)?.found).toBe(1);
  expect(open("account", longestAgeMs + 1)?.found).toBe(0);
  open("account", 10)?.put("a", 1);
  expect(open("account", 9)?.found).toBe(0);
  open()?.put("a", 1);
  expect(open("another")?.found).toBe(0);
});

test("a result that somebody edited or added is not used, and the others are", () => {
  const first = open();
  first?.put("a", [{ id: "1" }]);
  first?.put("b", [{ id: "2" }]);
  const [salt = "", a = "", b = ""] = readFileSync(path, "utf8").split("\n");
  const edits = [
    b.replace('"2"', '"3"'),
    b.replace('"key":"b"', '"key":"c"'),
    b.replace('"at":0', '"at":1'),
    b.replace(/^\w+/, a.slice(0, 64)),
    b.slice(65),
    `${b} `,
  ];
  for (const edited of edits) {
    writeFileSync(path, [salt, a, edited, ""].join("\n"));
    const journal = open("account", 1);
    expect([edited, journal?.found, journal?.get("a")]).toEqual([edited, 1, [{ id: "1" }]]);
  }
  writeFileSync(path, ["no salt", a, ""].join("\n"));
  expect(open()?.found).toBe(0);
});

test("only the owner can read the file, and it has no text that must not be stored", () => {
  const journal = open();
  journal?.put("a", "public");
  journal?.put("b", "secret");
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(readFileSync(path, "utf8")).not.toMatch(/secret|account/);
  journal?.remove();
  expect(() => statSync(path)).toThrow("ENOENT");
});

test("a file that others can write, a symbolic link, and a folder that does not exist give no journal", () => {
  writeFileSync(path, "theirs");
  chmodSync(path, 0o666);
  expect([open(), readFileSync(path, "utf8")]).toEqual([undefined, "theirs"]);
  rmSync(path);
  symlinkSync("/etc/hostname", path);
  expect(open()).toBeUndefined();
  rmSync(path);
  path = join(folder, "no", "journal");
  expect(open()).toBeUndefined();
});
