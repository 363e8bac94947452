import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import type { Values } from "../../../provider/core/value.ts";
import { resourceSchema, resourceShape } from "../../../provider/terraform/codec/schema.ts";
import { encode } from "../../../provider/terraform/codec/value.ts";
import { terraformEngines } from "../../../tools/engines/engine.ts";
import { openAccounts } from "../../support/account.ts";
import { openCloud } from "../../support/cloud.ts";
import { attach } from "../../support/engine/attached.ts";
import { defaults, openProvider, texts } from "../../support/engine/provider.ts";
import { openFolder, required, succeed } from "../../support/engine/terraform.ts";

/** Write-only secrets inside a group. */

async function withAccounts() {
  const { account, sent } = openAccounts();
  const provider = openProvider(openCloud(), defaults, [account]);
  await provider.configure();
  return {
    ...provider,
    sent,
    async validate(login: Values, writeOnlyAttributesAllowed = true) {
      const { diagnostics } = await provider.one("validateResourceConfig", {
        typeName: "kcloud_account",
        config: encode(ops(login), resourceShape(account)),
        clientCapabilities: { writeOnlyAttributesAllowed },
      });
      return texts(diagnostics);
    },
  };
}

const ops = (login: Values): Values => ({ name: "ops", login });
const sentOnly = (passwordWo: string, passwordWoVersion = 1): Values => ({
  user: "ops",
  passwordWo,
  passwordWoVersion,
});

test("a secret in a group has a write-only form and a version, and neither form is required", () => {
  const { block = {} } = resourceSchema(openAccounts().account);
  const inLogin = block.attributes?.find(({ name }) => name === "login")?.nestedType?.attributes ?? [];
  const flags = ["required", "optional", "sensitive", "writeOnly"] as const;
  expect(inLogin.map((one) => [one.name, ...flags.filter((flag) => one[flag] === true)])).toEqual([
    ["user", "required"],
    ["password", "optional", "sensitive"],
    ["seed", "optional", "sensitive"],
    ["password_wo", "optional", "sensitive", "writeOnly"],
    ["password_wo_version", "optional"],
    ["seed_wo", "optional", "sensitive", "writeOnly"],
    ["seed_wo_version", "optional"],
  ]);
});

test("a write-only secret in a group is sent, and is in no plan and no state", async () => {
  const { sent, plan, apply, read } = await withAccounts();
  const kept = { user: "ops", password: null, passwordWo: null, passwordWoVersion: 1, seed: null };
  expect((await plan("account", ops(sentOnly("canary-1")))).values).toMatchObject({ login: kept });
  const made = await apply("account", ops(sentOnly("canary-1")));
  expect(made.diagnostics).toEqual([]);
  expect(sent).toEqual([{ user: "ops", password: "canary-1" }]);
  expect(made.values).toMatchObject({ login: kept });
  expect((await read("account", made)).values).toEqual(made.values);
});

test("a plan shows a change of a secret in a group at its version", async () => {
  const { sent, plan, apply, configure } = await withAccounts();
  const made = await apply("account", ops(sentOnly("canary-1")));
  const same = await plan("account", ops(sentOnly("canary-2")), made);
  expect([same.values, same.replaces, same.diagnostics]).toEqual([made.values, [], []]);
  const changed = await apply("account", ops(sentOnly("canary-2", 2)), made);
  expect(changed.values).toMatchObject({ login: { password: null, passwordWoVersion: 2 } });
  expect(sent).toEqual([
    { user: "ops", password: "canary-1" },
    { user: "ops", password: "canary-2" },
  ]);
  const seeded = { ...sentOnly("canary-1"), seedWo: "canary-seed", seedWoVersion: 1 };
  // Each command of an engine configures the provider.
  await configure();
  expect((await plan("account", ops(seeded), made)).replaces).toEqual(["login.seed_wo_version"]);
});

test("problems of a secret in a group are reported at the form that was given", async () => {
  const { validate } = await withAccounts();
  const refused = (text: string, title = "Invalid value") => [
    `error: ${title} for ${text.slice(0, text.indexOf(":"))}: ${text}`,
  ];
  expect(await validate(sentOnly("canary-1"))).toEqual([]);
  expect(await validate({ user: "ops", password: "canary-1" })).toEqual([]);
  expect(await validate({ user: "ops" })).toEqual(
    refused("login.password: is required (at login)", "Missing value"),
  );
  expect(await validate(sentOnly("short"))).toEqual(
    refused("login.password_wo: must have at least 8 characters (at login)"),
  );
  expect(await validate({ ...sentOnly("canary-1"), password: "canary-1" })).toEqual(
    refused("login.password_wo: conflicts with password: set only one of them (at login)"),
  );
  expect(await validate({ user: "ops", passwordWo: "canary-1" })).toEqual(
    refused("login.password_wo_version: is required with password_wo (at login)"),
  );
  expect(await validate(sentOnly("canary-1"), false)).toEqual(
    refused(
      "login.password_wo: needs Terraform 1.11 or OpenTofu 1.11; with this version set password (at login)",
    ),
  );
});

const configuration = (version: number) => ({
  ...required,
  variable: { word: { type: "string", ephemeral: true } },
  resource: {
    kcloud_account: {
      ops: { name: "ops", login: { user: "ops", password_wo: "${var.word}", password_wo_version: version } },
    },
  },
});

test.each((await terraformEngines()).map((engine) => [`${engine.name} ${engine.version}`, engine] as const))(
  "%s applies a secret in a group, changes it in place, and writes it to no file",
  async (_, engine) => {
    const { account, sent } = openAccounts();
    // The API of this resource is in memory: no request confirms a delete, so the provider relies on reads.
    const provider = await attach([account], { SERVICE_SETTLE_SECONDS: "1", SERVICE_ACCOUNT_ID: "1" });
    const path = await mkdtemp(join(tmpdir(), "kcloud-group-"));
    const folder = await openFolder(engine, path, provider.environment);
    let version = 0;
    const write = () => writeFile(join(path, "main.tf.json"), JSON.stringify(configuration(++version)));
    const done = (...args: string[]) =>
      succeed(folder, args, { environment: { TF_VAR_word: `canary-${version}` } });
    await write();
    await done("init");
    await done("apply", "-auto-approve");
    await write();
    expect(await done("plan", "-out=planned")).toMatch(/password_wo_version += 1 -> 2\n/);
    const shown = await done("show", "-json", "planned");
    await done("apply", "planned");
    expect(await done("plan", "-detailed-exitcode")).toContain("No changes.");
    const state = await readFile(join(path, "terraform.tfstate"), "utf8");
    for (const text of [shown, state]) {
      expect(text).toContain("password_wo_version");
      expect(text).not.toContain("canary");
    }
    await done("destroy", "-auto-approve");
    expect(sent).toEqual([
      { user: "ops", password: "canary-1" },
      { user: "ops", password: "canary-2" },
    ]);
    await provider.close();
    await rm(path, { recursive: true });
  },
);
