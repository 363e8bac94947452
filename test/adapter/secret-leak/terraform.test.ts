import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import { otpCommand } from "../../../emulator/access.ts";
import { terraformEngines } from "../../../tools/engines/engine.ts";
import { configure, openFolder } from "../../support/engine/terraform.ts";
import { type Found, filesIn, opened, openLeakSearch, recipient, wrongPassword } from "./secret-leak.ts";

/**
 * Object storage with the real engines: no secret in any file, plan or log, guarded deletes, and every session is
 * ended.
 */

const engines = (await terraformEngines()).map(
  (engine) => [`${engine.name} ${engine.version}`, engine] as const,
);

const inBucket = { bucket_id: "${kcloud_bucket.data.id}" };

/**
 * Returns a bucket with its dependents, and an access key whose secret is encrypted for the public key in that file.
 */
const storage = (pem: string, more: object = {}) => ({
  resource: {
    kcloud_bucket: { data: { name: "data" } },
    kcloud_bucket_policy: { data: { ...inBucket, read_write_ips: ["10.0.0.0/24"] } },
    kcloud_lifecycle_rule: { old: { ...inBucket, name: "old", expiration_days: 90 } },
    kcloud_object: { note: { ...inBucket, key: "note.txt", content: "one" } },
    kcloud_access_key: {
      sealed: { name: "sealed", recipient_public_key: `\${file("${pem}")}` },
      ...more,
    },
  },
});

interface State {
  readonly resources: readonly {
    readonly name: string;
    readonly instances: readonly [
      { attributes: { [name: string]: unknown }; sensitive_attributes: readonly unknown[] },
    ];
  }[];
}

test.each(engines)("a lifecycle of object storage leaves no secret anywhere, with %s", async (_, engine) => {
  const path = await mkdtemp(join(tmpdir(), "kcloud-canary-"));
  const { emulator, url, close, settings, leaks, sessions } = await openLeakSearch();
  try {
    for (const [name, key] of Object.entries(recipient)) await writeFile(join(path, `${name}.pem`), key);
    const log = { TF_LOG: "TRACE", TF_LOG_PATH: join(path, "log") };
    const folder = await openFolder(engine, path, { ...settings, ...log });
    const outputs: Found[] = [];
    const run = async (command: string, environment: Readonly<Record<string, string>> = {}) => {
      const { code, output } = await folder.run([...command.split(" "), "-no-color"], { environment });
      outputs.push([command, output]);
      expect(sessions().left).toBe(0);
      return { code, output: output.replace(/[│╷╵]/g, "").replace(/\s+/g, " ") };
    };
    const found = async (but: readonly string[] = []) => {
      const files = await filesIn(path, [".mirror", ".terraform", "privateKey.pem", ...but]);
      expect(files.map(([place]) => place)).toEqual(expect.arrayContaining(["log", "planned"]));
      return leaks([...outputs, ...files]);
    };
    const stateOf = async () => JSON.parse(await readFile(join(path, "terraform.tfstate"), "utf8")) as State;
    const instanceOf = async (key: string) =>
      (await stateOf()).resources.find(({ name }) => name === key)?.instances[0];

    await configure(folder, storage("privateKey.pem"));
    expect((await run("init")).code).toBe(0);
    expect((await run("plan")).output).toContain("contains a private key: set the public key instead");
    await configure(folder, storage("publicKey.pem"));
    expect((await run("plan -out=planned")).code).toBe(0);
    expect((await run("show -json planned")).code).toBe(0);
    expect((await run("apply planned")).output).toContain("5 added");
    expect(sessions()).toEqual({ opened: 1, left: 0 });
    const sealed = String((await instanceOf("sealed"))?.attributes.encrypted_secret_key);
    expect(opened(sealed)).toMatch(/^emulator-secret-/);
    const planned = await run("plan -destroy -out=planned");
    expect(planned.output).toContain("destroys its data");
    expect(planned.output).toContain("requires a one-time password");
    await run("show -json planned");
    expect(await found()).toEqual([]);

    // A secret that is not encrypted is only in the state, marked as sensitive.
    await configure(folder, storage("publicKey.pem", { open: { name: "open" } }));
    expect((await run("apply -auto-approve")).output).toContain("1 added, 0 changed, 0 destroyed");
    const { attributes = {}, sensitive_attributes: marks } = (await instanceOf("open")) ?? {};
    expect(attributes.secret_key).toMatch(/^emulator-secret-/);
    expect(JSON.stringify(marks)).toContain("secret_key");
    expect(await found()).toEqual(["terraform.tfstate"]);

    const without = await run("destroy -auto-approve");
    expect(without.code).toBe(1);
    expect(without.output).toContain(
      "The delete requires a one-time password, and none is set. The object still exists and stays in the state. Run again with a new one-time password (SERVICE_OTP for one delete, otp_command for each).",
    );
    const wrong = await run("destroy -auto-approve", { SERVICE_OTP: wrongPassword });
    expect(wrong.output).toContain("The one-time password or the API key was rejected: otp: it is wrong.");
    expect(wrong.output).toContain(
      "Correct what the API rejected, then run again with a new one-time password",
    );
    const deletes = () =>
      ["bucket", "access_key"].map((kind) => emulator.log.count({ operation: `delete_${kind}` }));
    expect(deletes().toSorted()).toEqual([0, 1]);
    const right = await run("destroy -auto-approve", { SERVICE_OTP_COMMAND: otpCommand(url) });
    expect([right.code, emulator.inventory.list()]).toEqual([0, []]);
    expect(await found(["terraform.tfstate.backup"])).toEqual([]);
  } finally {
    await close();
    await rm(path, { recursive: true, force: true });
  }
});
