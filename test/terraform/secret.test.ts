import { cp, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "@jest/globals";
import { openSite } from "../support/engine/open-site.ts";
import { flat } from "../support/engine/site.ts";
import { succeed } from "../support/engine/terraform.ts";
import { engines } from "../support/engine/terraform-engine.ts";

/** Lookups, functions, ephemeral resources and write-only secrets, run from their examples. */

const examples = fileURLToPath(new URL("../../examples", import.meta.url));
const [email, password] = ["ops@cloud.example", "canary-password"];

describe.each(engines)("%s", (_, engine) => {
  const { emulator, open } = openSite({ taskMs: 100, email, password });

  /** Copies an example into a new folder and runs init; returns functions that run the engine there. */
  async function opened(example: string, environment: Readonly<Record<string, string>> = {}) {
    const work = await open(engine, environment);
    const { path } = work;
    const main = await readFile(join(examples, example, "main.tf"), "utf8");
    await cp(join(examples, example, "main.tf"), join(path, "main.tf"));
    const done = (...args: string[]) => succeed(work, args);
    await done("init");
    return { path, main, run: work.run, done };
  }

  const outputs = async (done: (...args: string[]) => Promise<string>) =>
    Object.fromEntries(
      Object.entries(JSON.parse(await done("output", "-json")) as { [name: string]: { value: unknown } }).map(
        ([name, { value }]) => [name, value],
      ),
    );

  test("lookups find existing objects, also in a first apply", async () => {
    const { done } = await opened("lookup");
    await done("apply", "-auto-approve");
    expect(await outputs(done)).toEqual({
      first_image: expect.stringMatching(/^krn:vm:.*:image:/),
      processors: 1,
      ssd_gb: 0,
    });
    expect(await done("plan", "-detailed-exitcode")).toContain("No changes.");
  });

  test("functions run in plan and apply; an invalid argument is reported by its name", async () => {
    const { done, run, path, main } = await opened("function");
    await done("apply", "-auto-approve");
    const { region, first_start: start } = await outputs(done);
    expect(region).toBe("In-Bangalore-1");
    expect(Buffer.from(String(start), "base64").toString()).toContain("Content-Type: text/cloud-config");
    const made = emulator.inventory.list().filter(({ kind }) => kind === "subnet");
    expect(made.map(({ krn }) => emulator.inventory.get(krn))).toEqual(
      expect.arrayContaining(
        ["10.0.0.0/24", "10.0.1.0/24", "10.0.16.0/20"].map((cidr) => expect.objectContaining({ cidr })),
      ),
    );
    expect(await done("plan", "-detailed-exitcode")).toContain("No changes.");
    await writeFile(join(path, "main.tf"), main.replace('"10.0.0.0/16"', '"10.0.0.0/23"'));
    const { code, output } = await run(["plan", "-no-color"]);
    expect(code).toBe(1);
    expect(flat(output)).toMatch(
      /Invalid value for "prefixes" parameter: must be a whole number from 23 to 32/,
    );
  });

  test("a token and secrets that are only sent reach the machine, and no file of the engine", async () => {
    const { done, run, path, main } = await opened("secret", {
      SERVICE_API_KEY: "",
      SERVICE_EMAIL: email,
      SERVICE_PASSWORD: password,
      TF_VAR_model_api_key: "canary-model",
    });
    await done("plan", "-out=planned");
    const shown = await done("show", "-json", "planned");
    await done("apply", "-auto-approve");
    const state = await readFile(join(path, "terraform.tfstate"), "utf8");
    for (const text of [shown, state]) {
      expect(text).toContain("model_api_key_wo_version");
      expect(text).not.toContain("canary");
    }
    const [created] = emulator.log.entries({ operation: "create_instance" });
    // The emulator's log masks the secrets; codec/write-only.test.ts checks the values that are sent.
    expect(created?.body).toMatchObject({ user_data: expect.any(String), model_api_key: expect.any(String) });
    expect(emulator.log.entries({ operation: "sign_in_root" }).length).toBeGreaterThanOrEqual(3);
    expect(await done("plan", "-detailed-exitcode")).toContain("No changes.");
    await writeFile(
      join(path, "main.tf"),
      main.replace("model_api_key_wo_version = 1", "model_api_key_wo_version = 2"),
    );
    const { code, output } = await run(["plan", "-detailed-exitcode", "-no-color"]);
    expect(code).toBe(2);
    expect(output).toMatch(/model_api_key_wo_version += 1 -> 2 # forces replacement/);
    await done("destroy", "-auto-approve");
    expect(emulator.inventory.list().map(({ kind }) => kind)).toEqual([]);
  });

  test("a map of secrets that is only sent reaches the pod, and no file of the engine", async () => {
    const { done, path, main } = await opened("ai-pod", { TF_VAR_model_key: "canary-model" });
    const sentOnly = main
      .replace("sensitive   = true", "ephemeral   = true")
      .replace(
        "environment_variables =",
        "environment_variables_wo_version = 1\n  environment_variables_wo =",
      );
    await writeFile(join(path, "main.tf"), sentOnly);
    await done("plan", "-out=planned");
    const shown = await done("show", "-json", "planned");
    await done("apply", "-auto-approve");
    const state = await readFile(join(path, "terraform.tfstate"), "utf8");
    for (const text of [shown, state]) {
      expect(text).toContain("environment_variables_wo_version");
      expect(text).not.toContain("canary");
    }
    const [created] = emulator.log.entries({ operation: "create_pod" });
    expect(created?.body).toMatchObject({
      environment_variables: [{ name: "MODEL_KEY", value: "canary-model" }],
    });
    expect(await done("plan", "-detailed-exitcode")).toContain("No changes.");
    await done("destroy", "-auto-approve");
  });
});
