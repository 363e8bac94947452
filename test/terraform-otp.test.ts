import { copyFile, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "@jest/globals";
import { createEmulator } from "../emulator/emulator.ts";
import { account } from "../emulator/id.ts";
import { terraformEngines } from "../tools/engines/engine.ts";
import { openFolder, required } from "./engine/terraform.ts";

/** One-time passwords with the real engines: asked for by a destroy, and in no file or log of it. */

const example = fileURLToPath(new URL("../examples/bucket/main.tf", import.meta.url));
const engines = (await terraformEngines()).map(
  (engine) => [`${engine.name} ${engine.version}`, engine] as const,
);

test.each(engines)(
  "a bucket goes against a one-time password, with %s",
  async (_, engine) => {
    const path = await mkdtemp(join(tmpdir(), "kcloud-otp-"));
    const given: string[] = [];
    const emulator = createEmulator({ showPassword: (password) => given.push(password) });
    const server = await emulator.listen();
    try {
      await copyFile(example, join(path, "main.tf"));
      await writeFile(join(path, "required.tf.json"), JSON.stringify(required));
      const { run } = await openFolder(engine, path, {
        SERVICE_BASE_URL: server.url,
        SERVICE_API_KEY: "emulator-key",
        SERVICE_ACCOUNT_ID: account,
        SERVICE_REGION: "In-Bangalore-1",
        SERVICE_MAX_REQUESTS_PER_SECOND: "0",
        TF_LOG: "TRACE",
        TF_LOG_PATH: join(path, "log"),
      });
      const outputs: string[] = [];
      const flat = async (args: readonly string[], environment: Readonly<Record<string, string>> = {}) => {
        const { code, output } = await run([...args, "-no-color"], { environment });
        outputs.push(output);
        return { code, output: output.replace(/[│╷╵]/g, "").replace(/\s+/g, " ") };
      };
      const destroy = ["destroy", "-auto-approve"];
      for (const args of [["init"], ["apply", "-auto-approve"]]) expect((await flat(args)).code).toBe(0);
      const planned = await flat(["plan", "-destroy", "-out=planned"]);
      expect(planned.output).toContain("Warning: This deletes data");
      expect(planned.output).toContain("Warning: This takes a one-time password");
      const without = await flat(destroy);
      expect(without.code).toBe(1);
      expect(without.output).toContain(
        "Deleting it takes a one-time password, and there is none left. It still exists and stays in the state. Run again with a new one-time password: in SERVICE_OTP for one delete, or from otp_command for each.",
      );
      const wrong = await flat(destroy, { SERVICE_OTP: "87654321" });
      expect(wrong.output).toContain("The one-time password or the API key was refused: otp: it is wrong.");
      expect(wrong.output).toContain("The password was tried once and is spent");
      expect(emulator.log.count({ operation: "delete_bucket" })).toBe(1);
      const file = join(path, "otp");
      await writeFile(file, emulator.password());
      const right = await flat(destroy, { SERVICE_OTP_COMMAND: `cat ${file}` });
      await rm(file);
      expect([right.code, emulator.inventory.list()]).toEqual([0, []]);
      const files = await readdir(path, { recursive: true, withFileTypes: true });
      const kept = files.filter((entry) => entry.isFile() && !entry.parentPath.includes(".mirror"));
      expect(kept.map(({ name }) => name)).toEqual(
        expect.arrayContaining(["log", "planned", "terraform.tfstate"]),
      );
      const texts = [
        ...outputs,
        ...(await Promise.all(kept.map((entry) => readFile(join(entry.parentPath, entry.name), "latin1")))),
      ];
      for (const password of ["87654321", ...given])
        expect(texts.some((text) => text.includes(password))).toBe(false);
    } finally {
      await server.close();
      await rm(path, { recursive: true, force: true });
    }
  },
  120_000,
);
