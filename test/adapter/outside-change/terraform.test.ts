import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import { ensureEngine } from "../../../tools/engines/engine.ts";
import { flat } from "../../support/engine/site.ts";
import { configuration, openFolder, succeed } from "../../support/engine/terraform.ts";
import { changeInConsole, expectKept, stackOf, withConsole } from "./outside-change.ts";

const engine = await ensureEngine("terraform");

test("a bucket stays closed and a volume keeps its labels, as in the console, with -refresh=false and a saved plan", () =>
  withConsole(async (emulator, path, settings) => {
    const folder = await openFolder(engine, path, settings);
    const write = (tier: string, volume: string) =>
      writeFile(join(path, "main.tf.json"), JSON.stringify(configuration(stackOf(tier, volume))));
    await write("gold", "data");
    await succeed(folder, ["init"]);
    await succeed(folder, ["apply", "-auto-approve"]);
    changeInConsole(emulator, "hand");
    await write("silver", "files");
    const unrefreshed = flat(await succeed(folder, ["apply", "-auto-approve", "-refresh=false"]));
    expectKept(emulator, "silver", "files", "hand");
    for (const text of [
      'Warning: The bucket "store" was changed outside of Terraform or OpenTofu, and the change was kept',
      "The API shows another value than the state for versioning, anonymous_access of the bucket",
      'Warning: The volume "data" was changed outside of Terraform or OpenTofu, and the change was kept',
      "The API shows another value than the state for description, metadata of the volume",
    ])
      expect(unrefreshed).toContain(text);
    const shown = flat(await succeed(folder, ["plan"]));
    expect(shown).toContain("Plan: 0 to add, 2 to change, 0 to destroy.");
    await write("bronze", "orders");
    await succeed(folder, ["plan", "-refresh=false", "-out=saved"]);
    changeInConsole(emulator, "another");
    await succeed(folder, ["apply", "saved"]);
    expectKept(emulator, "bronze", "orders", "another");
    await succeed(folder, ["plan", "-out=saved"]);
    await succeed(folder, ["apply", "saved"]);
    const [bucket] = emulator.inventory.list().filter(({ kind }) => kind === "bucket");
    expect(bucket).toMatchObject({ anonymous: true, versioning: false });
    expect(flat(await succeed(folder, ["plan"]))).toContain("No changes.");
  }));
