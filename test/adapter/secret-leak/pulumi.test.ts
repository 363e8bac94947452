import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import { otpCommand } from "../../../emulator/access.ts";
import { ensureEngine } from "../../../tools/engines/engine.ts";
import { type Kind, nameOf, openProject } from "../../support/engine/pulumi.ts";
import type { Stack } from "../adapter.ts";
import { type Found, filesIn, opened, openLeakSearch, recipient, wrongPassword } from "./secret-leak.ts";

/** Object storage with the real Pulumi: no secret in its output, logs or state, and every session is ended. */

const pulumi = await ensureEngine("pulumi");
const bucketId = { ref: "data", property: "id" };

const storage = (recipientPublicKey: string): Stack => [
  { name: "data", resource: "bucket", inputs: {} },
  { name: "near", resource: "bucket-policy", inputs: { bucketId, readWriteIps: ["10.0.0.0/24"] } },
  { name: "old", resource: "lifecycle-rule", inputs: { bucketId, expirationDays: 90 } },
  { name: "note", resource: "object", inputs: { bucketId, key: "note.txt", content: "one" } },
  { name: "sealed", resource: "access-key", inputs: { recipientPublicKey } },
];
const open: Stack = [{ name: "open", resource: "access-key", inputs: {} }];

/** Options with which the logs of the engine contain the outputs of every resource, but no inputs. */
const verbose = ["--logtostderr", "-v=8"];

test.each<Kind>(["pulumi", "dynamic"])(
  "a lifecycle of object storage leaves no secret anywhere, with the classes of %s",
  async (kind) => {
    const path = await mkdtemp(join(tmpdir(), "kcloud-canary-"));
    const { emulator, url, close, settings, leaks, sessions } = await openLeakSearch();
    try {
      const project = await openProject(pulumi, path, settings);
      const outputs: Found[] = [];
      const run = async (
        command: string,
        environment: Readonly<Record<string, string>> = {},
        options = verbose,
      ) => {
        const { code, output } = await project.run([...command.split(" "), ...options], { environment });
        outputs.push([command, output]);
        expect(sessions().left).toBe(0);
        return { code, output };
      };
      const found = async () => leaks([...outputs, ...(await filesIn(path, ["node_modules", "stack.json"]))]);

      await project.write(kind, storage(recipient.privateKey));
      expect((await run("preview")).output).toContain("contains a private key: set the public key instead");
      await project.write(kind, storage(recipient.publicKey));
      expect((await run("up --yes")).code).toBe(0);
      expect(sessions().opened).toBe(1);
      const sealed = (await project.state()).find(({ urn }) => nameOf(urn) === "sealed");
      expect(opened(String(sealed?.outputs?.encryptedSecretKey))).toMatch(/^emulator-secret-/);
      // A secret without a recipient is stored in the state as a secret of the stack.
      await project.write(kind, [...storage(recipient.publicKey), ...open]);
      expect((await run("up --yes", {}, [])).code).toBe(0);
      expect((await run("destroy --yes --skip-preview")).output).toContain("one-time password");
      const wrong = await run("destroy --yes --skip-preview", { SERVICE_OTP: wrongPassword });
      expect(wrong.output).toContain("otp: it is wrong");
      const right = await run("destroy --yes --skip-preview", { SERVICE_OTP_COMMAND: otpCommand(url) });
      expect([right.code, emulator.inventory.list()]).toEqual([0, []]);
      expect(await found()).toEqual([]);
    } finally {
      await close();
      await rm(path, { recursive: true, force: true });
    }
  },
);
