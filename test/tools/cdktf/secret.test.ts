import { execFile } from "node:child_process";
import { mkdtemp, readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { describe, expect, test } from "@jest/globals";
import { type Engine, terraformEngines } from "../../../tools/engines/engine.ts";
import { openSite } from "../../support/engine/open-site.ts";
import { openFolder } from "../../support/engine/terraform.ts";

/** Functions, ephemeral resources and write-only secrets in apps: classes with CDKTN, overrides with CDKTF. */

const engines = await terraformEngines();
const login = { email: "ops@cloud.example", password: "canary-password" };
const site = openSite(login);
const { emulator } = site;

/** Runs the example in a new folder; returns the folder of its stack. */
async function synthesize(flavour: string): Promise<string> {
  const cwd = await mkdtemp(join(site.path, flavour));
  const app = fileURLToPath(new URL(`../../../examples/secret/${flavour}.ts`, import.meta.url));
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [app], { cwd });
  expect(stdout + stderr).toBe("");
  return join(cwd, "cdktf.out/stacks/secret");
}

/** One engine for each flavour; `cdktf.test.ts` runs both flavours with every engine. */
const flavours = ["cdktf", "cdktn"].map((flavour, at) => ({ flavour, engine: engines[at] as Engine }));

describe.each(flavours)("an app with $flavour", ({ flavour, engine }) => {
  test("writes an ephemeral block and calls of functions", async () => {
    const stack = await synthesize(flavour);
    const { ephemeral, resource, variable } = JSON.parse(await readFile(join(stack, "cdk.tf.json"), "utf8"));
    expect(Object.keys(ephemeral.kcloud_access_token)).toEqual(["first_start"]);
    expect(variable.model_api_key).toMatchObject({ ephemeral: true });
    expect(resource.kcloud_subnet.web.cidr).toMatch(/provider::kcloud::subnets\("10\.0\.0\.0\/16", 24\)/);
    expect(resource.kcloud_instance.machine.user_data_base64_wo).toBe(
      '${provider::kcloud::user_data("#!/bin/sh\\nregister-machine --token ${ephemeral.kcloud_access_token.first_start.token}\\n")}',
    );
  });

  test(`is applied and destroyed with ${engine.name} ${engine.version}, and no file contains a secret`, async () => {
    const stack = await synthesize(flavour);
    const { run } = await openFolder(engine, stack, {
      SERVICE_BASE_URL: site.url,
      SERVICE_REGION: "In-Bangalore-1",
      SERVICE_EMAIL: login.email,
      SERVICE_PASSWORD: login.password,
      TF_VAR_model_api_key: "canary-model",
    });
    const done = async (command: string) => {
      const { code, output } = await run(command.split(" "));
      if (code !== 0) throw new Error(`${command} ended with ${code}:\n${output}`);
      return output;
    };
    await done("init");
    await done("plan -out=planned");
    const shown = await done("show -json planned");
    await done("apply planned");
    const state = await readFile(join(stack, "../../../terraform.secret.tfstate"), "utf8");
    for (const text of [shown, state]) {
      expect(text).toContain("model_api_key_wo_version");
      expect(text).not.toContain("canary");
    }
    const [created] = emulator.log.entries({ operation: "create_instance" });
    expect(created?.body).toMatchObject({
      user_data: expect.any(String),
      model_api_key: expect.any(String),
    });
    await done("plan -detailed-exitcode");
    await done("destroy -auto-approve");
    expect(emulator.inventory.list()).toEqual([]);
  });
});
