import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import type { EmulatorOptions } from "../../emulator/emulator.ts";
import { flat, withSite } from "../support/engine/site.ts";
import { configure } from "../support/engine/terraform.ts";
import { engines } from "../support/engine/terraform-engine.ts";

/** Sign-in with email and password under the real engines, with tokens of the emulator. */

const [email, password] = ["ops@cloud.example", "canary-password"];
const vpcs = Object.fromEntries(
  Array.from({ length: 8 }, (_, index) => [`net${index}`, { name: `net-${index}` }]),
);

/** Runs `work` in a folder that configures eight VPCs, with an emulator that accepts this email and password. */
async function inFolder(
  engine: (typeof engines)[number][1],
  options: EmulatorOptions,
  work: (site: {
    run: (...args: string[]) => Promise<{ code: number | null; output: string }>;
    path: string;
    signIns: () => number;
  }) => Promise<void>,
): Promise<void> {
  await withSite({ taskMs: 100, email, password, ...options }, async ({ emulator, open }) => {
    const folder = await open(engine, {
      SERVICE_API_KEY: "",
      SERVICE_EMAIL: email,
      SERVICE_PASSWORD: password,
      TF_LOG_PROVIDER: "debug",
    });
    await configure(folder, { resource: { kcloud_vpc: vpcs } });
    await work({
      path: folder.path,
      run: (...args) => folder.run([...args, "-no-color"]),
      signIns: () => emulator.log.entries({ operation: "sign_in_root" }).length,
    });
  });
}

test.each(engines)("%s: eight concurrent networks share one sign-in per process", (_, engine) =>
  inFolder(engine, {}, async ({ run, path, signIns }) => {
    const outputs = [];
    for (const args of [["init"], ["apply", "-auto-approve"], ["plan", "-detailed-exitcode"]]) {
      const { code, output } = await run(...args);
      expect(`${args[0]} ended with ${code}${code === 0 ? "" : `:\n${output}`}`).toBe(
        `${args[0]} ended with 0`,
      );
      outputs.push(output);
    }
    expect(outputs[1]).toContain("8 added");
    expect(outputs[1]).toContain("signed in");
    // One for the apply, one for the refresh of the plan.
    expect(signIns()).toBe(2);
    const state = await readFile(join(path, "terraform.tfstate"), "utf8");
    for (const text of [state, ...outputs]) {
      expect(text).not.toContain(password);
      expect(text).not.toMatch(/token\.\d/);
    }
  }),
);

test.each(engines)("%s: a wrong password is tried once, and reported without being shown", (_, engine) =>
  inFolder(engine, { password: "another" }, async ({ run, signIns }) => {
    await run("init");
    const { code, output } = await run("apply", "-auto-approve");
    expect(code).toBe(1);
    expect(flat(output)).toContain(
      "The API rejected the sign-in. The sign-in was rejected: wrong e-mail or password. (status 401",
    );
    expect(flat(output)).toContain("Nothing was created.");
    expect(flat(output)).toContain(
      "Set a valid email and password (with account_user, also account_id), then run again.",
    );
    expect(output).not.toContain(password);
    expect(signIns()).toBe(1);
  }),
);
