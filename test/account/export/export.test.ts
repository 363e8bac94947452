import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { writeFolder } from "../../../account/command/folder.ts";
import { type ExportedAccount, exportAccount } from "../../../account/export/export.ts";
import { hclFiles } from "../../../account/export/hcl.ts";
import { hclBlock, hclKey, hclObject } from "../../../account/export/hcl-syntax.ts";
import { everything } from "../../../account/filter.ts";
import { createEmulator, type Emulator, type EmulatorOptions } from "../../../emulator/emulator.ts";
import { gatherSettings } from "../../../provider/config/config.ts";
import { realPorts } from "../../../provider/platform/real-ports.ts";
import { type Engine, terraformEngines } from "../../../tools/engines/engine.ts";
import { environment } from "../../adapter/lifecycle/lifecycle.ts";
import { openFolder, succeed } from "../../support/engine/terraform.ts";
import { existingObjects, make } from "../../support/large-account.ts";
import { shop } from "../account.ts";

/** An account that nothing manages, exported and managed by each engine until its end. */

const engines = (await terraformEngines()).map(
  (engine) => [`${engine.name} ${engine.version}`, engine] as const,
);
const limit = 180_000;

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "kcloud-export-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const exported = (url: string): Promise<ExportedAccount> =>
  exportAccount(gatherSettings({}, environment(url)), realPorts, {
    filter: everything,
    stop: new AbortController().signal,
  });

/** Creates the account in an emulator, and opens a folder with its export. */
async function openExport(engine: Engine, by: "kind" | "vpc", assume: EmulatorOptions["assume"] = {}) {
  const emulator: Emulator = createEmulator({ taskMs: 20, assume });
  const server = await emulator.listen();
  await make(shop, server.url);
  const { project } = await exported(server.url);
  const path = join(await mkdtemp(join(folder, "work-")), "project");
  writeFolder(path, hclFiles(project, by));
  return { emulator, server, opened: await openFolder(engine, path, environment(server.url)) };
}

describe.each(engines)("%s", (_, engine) => {
  test(
    "imports an exported account without a change, and destroys it without an error",
    async () => {
      const { emulator, server, opened } = await openExport(engine, "kind");
      try {
        const run = (...args: string[]) => succeed(opened, args);
        expect(await run("fmt", "-check", "-diff")).toBe("");
        await run("init");
        const before = existingObjects(emulator);
        const plan = await run("plan", "-no-color", "-out=planned");
        // No route returns the primary subnet of a VPC.
        expect(plan.match(/Plan: .*/)?.[0]).toBe("Plan: 23 to import, 0 to add, 3 to change, 0 to destroy.");
        // OpenTofu shows write-only attributes, which it does not store, in every update.
        const shown = plan.match(/^ {6}[+~-] \w+(?<!_wo)\b/gm) ?? [];
        const changes = new Set(shown.map((line) => line.trim()));
        expect([...changes].toSorted()).toEqual(["+ primary_subnet", "~ floating_ip"]);
        await run("apply", "planned");
        expect(await run("plan", "-detailed-exitcode")).toContain("No changes.");
        expect(existingObjects(emulator)).toEqual(before);
        await run("destroy", "-auto-approve");
        // Their blocks are comments.
        expect(existingObjects(emulator).map(({ kind }) => kind)).toEqual(["access_key", "image"]);
      } finally {
        await server.close();
      }
    },
    limit,
  );
});

test(
  "objects that the API makes with a VPC or a group are imported and destroyed as all others",
  async () => {
    const [, engine] = engines.at(-1) as (typeof engines)[number];
    const made = {
      vpcMakesDefaultGroup: true,
      groupHasDefaultRules: true,
      subnetDeleteWithPorts: "removes",
    } as const;
    const { emulator, server, opened } = await openExport(engine, "kind", made);
    try {
      const run = (...args: string[]) => succeed(opened, args);
      await run("init");
      await run("apply", "-auto-approve");
      expect(await run("plan", "-detailed-exitcode")).toContain("No changes.");
      await run("destroy", "-auto-approve");
      expect(existingObjects(emulator).map(({ kind }) => kind)).toEqual(["access_key", "image"]);
    } finally {
      await server.close();
    }
  },
  limit,
);

test(
  "two exports of an account are equal, contain no secret, and are formatted as the engines do, by VPC too",
  async () => {
    const [, engine] = engines.at(-1) as (typeof engines)[number];
    const { server, opened } = await openExport(engine, "vpc");
    try {
      expect(await succeed(opened, ["fmt", "-check", "-diff"])).toBe("");
      const [first, second] = await Promise.all([exported(server.url), exported(server.url)]);
      const text = JSON.stringify([...hclFiles(first.project, "kind")]);
      expect(JSON.stringify([...hclFiles(second.project, "kind")])).toBe(text);
      expect(text).not.toContain("secret-user-data");
      expect(text).not.toContain("emulator-");
      expect([...hclFiles(first.project, "vpc").keys()].toSorted()).toEqual([
        ...["access_key.tf", "bucket.tf", "bucket_policy.tf", "image.tf", "lifecycle_rule.tf", "main.tf"],
        ...["vpc_lab.tf", "vpc_shop.tf"],
      ]);
    } finally {
      await server.close();
    }
  },
  limit,
);

test(
  "keys in every script are aligned as the engines do",
  async () => {
    const keys = [
      "e\u0301a",
      "हिन्दी",
      "क्षत्रिय",
      "👨‍👩‍👧",
      "🇩🇪🇫🇷",
      "\u1100\u1161\u11a8",
      "ក្ក",
      "বাংলা ক্ষ",
      "日本",
      "مدينة",
      "மதுரை",
    ];
    const entries = ["a long key", ...keys].map((key) => ({ name: hclKey(key), value: ["1"] }));
    const path = await mkdtemp(join(folder, "keys-"));
    await writeFile(
      join(path, "main.tf"),
      `${hclBlock("locals", [{ name: "tags", value: hclObject(entries) }]).join("\n")}\n`,
    );
    for (const [, engine] of engines)
      expect(await succeed(await openFolder(engine, path, {}), ["fmt", "-check", "-diff"])).toBe("");
  },
  limit,
);
