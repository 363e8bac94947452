import { execFileSync } from "node:child_process";
import { expect, test } from "@jest/globals";
import { explain } from "../../provider/core/error.ts";
import { importCommand } from "../../provider/core/remedy.ts";
import { inWordsOf } from "../../provider/core/wording.ts";
import { importableFields, parseImportId, referenceOf } from "../../provider/definition/import-id.ts";
import type { Resource } from "../../provider/definition/resource.ts";
import { engine } from "../../provider/engine/engine.ts";
import { importId } from "../../provider/engine/remediation.ts";
import { resources } from "../../resources/index.ts";
import { type Cloud, failure, openCloud, resource } from "../support/cloud.ts";

const importText = (cloud: Cloud, kind: string, text: string) =>
  cloud.run(engine.import(cloud.reopen(), resource(kind), text, cloud.call));

/** Pieces of random texts; a text has up to six of them. */
const pieces = [
  ",",
  "'",
  '"',
  "%",
  "%2C",
  "%25",
  " ",
  "\\",
  "$x",
  "`y`",
  "/",
  "é",
  "e\u0301",
  "👩‍👧",
  "\t",
  "\n",
  "a",
  "B7",
  "20",
  ";",
];

function texts(count: number): string[] {
  let seed = 1;
  const next = (below: number) => {
    seed = (seed * 48_271) % 2_147_483_647;
    return seed % below;
  };
  return Array.from({ length: count }, () =>
    Array.from({ length: 1 + next(6) }, () => pieces[next(pieces.length)]).join(""),
  );
}

/** Returns the last words of commands as a POSIX shell reads them. */
const lastWords = (commands: readonly string[]): string[] => {
  const script = commands
    .map((command) => `set -- ${command}\nshift $(($# - 1))\nprintf '%s\\0' "$1"`)
    .join("\n");
  return execFileSync("sh", { input: script, encoding: "utf8" }).split("\0").slice(0, -1);
};

const importable = resources.filter(({ stateOnly }) => stateOnly !== true);

const asId = (kind: string | undefined, text: string) =>
  kind === undefined ? text : `krn:x:In-Bangalore-1:000000000000:y:${kind}:z`;

/** Returns the parts of an import id that must be ids, which contain no spaces; other parts may be names. */
function idsIn(of: Resource, id: string, values: Readonly<Record<string, string>>): string[] {
  const isName = (name: string) => referenceOf(of, name) === undefined;
  const above = Object.entries(values).flatMap(([name, value]) => (isName(name) ? [] : [value]));
  return importableFields(of).some(isName) ? above : [...above, id];
}

test.each(["terraform", "pulumi"] as const)(
  "an import command that %s prints, pasted in a shell, has the same parts for any characters of a name",
  (words) => {
    const cases = texts(40).flatMap((text) =>
      importable.flatMap((of) => {
        const values = Object.fromEntries(
          (of.parents ?? []).map((name) => {
            return [name, asId(referenceOf(of, name), text)];
          }),
        );
        const id = importableFields(of).length > 0 ? text : asId(of.name, text);
        return [undefined, "In-Noida-1"]
          .filter((region) => region === undefined || of.regional !== false)
          .map((region) => ({ of, values, id, region, where: importId(of, id, values, region) }));
      }),
    );
    const commands = cases.map(
      ({ of, where }) =>
        inWordsOf(words, importCommand({ resource: of.name, importId: where })).split(", or tofu")[0] ?? "",
    );
    const pasted = lastWords(commands);
    expect(pasted).toHaveLength(cases.length);
    let parsed = 0;
    for (const [at, { of, values, id, region }] of cases.entries()) {
      if (idsIn(of, id, values).some((each) => /[^\x21-\x7e]/.test(each))) continue;
      parsed += 1;
      expect({ kind: of.name, ...parseImportId(of, pasted[at] ?? "") }).toEqual({
        kind: of.name,
        ...{ id, region, values },
      });
    }
    expect(parsed).toBeGreaterThan(500);
  },
);

test("an import id escapes commas, and keeps spaces and percent signs", () => {
  const vpcId = "krn:vpc:In-Bangalore-1:1:2:vpc:3";
  expect(importId(resource("volume"), "my data: 100%/é", { vpcId }, "In-Noida-1")).toBe(
    `In-Noida-1,${vpcId},my data: 100%/é`,
  );
  expect(parseImportId(resource("volume"), `${vpcId},50%41`).id).toBe("50%41");
  expect(importId(resource("object"), "a,b", { bucketId: "shelf" }, undefined)).toBe("shelf,a%2Cb");
});

test("the import command of an error works for a name with commas, quotes and leading and trailing spaces", async () => {
  const name = ' it\'s 50%,"a"\t';
  const cloud = openCloud();
  const publicKey =
    "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIDv649RFD38FiJfVSzmkqTE5Lfkm/3FWshG5nK9YVL3+ somebody";
  const { id } = await cloud.run(cloud.create("ssh-key", { name, publicKey }));
  const again = engine.check(resource("ssh-key"), { name, publicKey }).inputs;
  const failed = await cloud.run(
    failure(engine.create(cloud.reopen(), resource("ssh-key"), again, cloud.call)),
  );
  const command = /\(?(terraform import .*), or tofu import/.exec(explain(failed).detail)?.[1] ?? "";
  const [where = ""] = lastWords([command]);
  expect(await importText(cloud, "ssh-key", where)).toMatchObject({ id, values: { name } });
});
