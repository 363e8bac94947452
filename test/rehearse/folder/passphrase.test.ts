import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import { isPassphraseOf, newPassphrase, passphraseIn } from "../../../rehearse/folder/passphrase.ts";

/** Salt that `pulumi stack init` wrote with the passphrase "test". */
const salt = "v1:Xr8rcVWgdj8=:v1:DF0yw1doxehy9EvL:X1PKqRmmX2VGFnOmOrJbuB1xUGlR6g==";

test("the salt of the engine is that of its passphrase only", () => {
  expect(isPassphraseOf({ passphrase: "test", salt })).toBe(true);
  expect(isPassphraseOf({ passphrase: "other", salt })).toBe(false);
  for (const broken of ["", "v1:", salt.slice(0, -12), salt.replace("v1", "v2")])
    expect(isPassphraseOf({ passphrase: "test", salt: broken })).toBe(false);
});

test("a new passphrase has a salt of its own, and no two are equal", () => {
  const [one, other] = [newPassphrase(), newPassphrase()];
  expect(isPassphraseOf(one)).toBe(true);
  expect(isPassphraseOf({ ...one, passphrase: other.passphrase })).toBe(false);
  expect(one.passphrase).not.toBe(other.passphrase);
});

test("the passphrase is that of the environment, or of the file that it names", () => {
  const folder = mkdtempSync(join(tmpdir(), "kcloud-passphrase-"));
  const file = join(folder, "passphrase");
  writeFileSync(file, "secret\n");
  try {
    expect([
      passphraseIn({ PULUMI_CONFIG_PASSPHRASE: "", PULUMI_CONFIG_PASSPHRASE_FILE: file }),
      passphraseIn({ PULUMI_CONFIG_PASSPHRASE_FILE: file }),
      passphraseIn({}),
    ]).toEqual(["", "secret", undefined]);
    expect(() => passphraseIn({ PULUMI_CONFIG_PASSPHRASE_FILE: join(folder, "none") })).toThrow("ENOENT");
  } finally {
    rmSync(folder, { recursive: true });
  }
});
