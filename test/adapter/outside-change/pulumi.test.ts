import { expect, test } from "@jest/globals";
import { ensureEngine } from "../../../tools/engines/engine.ts";
import { openProject } from "../../support/engine/pulumi.ts";
import { flat } from "../../support/engine/site.ts";
import { changeInConsole, expectKept, stackOf, withConsole } from "./outside-change.ts";

const engine = await ensureEngine("pulumi");

test.each(["pulumi", "dynamic"] as const)(
  "with the classes of %s, a bucket stays closed and a volume keeps its labels, as in the console, after an up without a refresh",
  (kind) =>
    withConsole(async (emulator, path, settings) => {
      const project = await openProject(engine, path, settings);
      await project.write(kind, stackOf("gold", "data"));
      await project.done("up", "--yes", "--skip-preview");
      changeInConsole(emulator, "hand");
      await project.write(kind, stackOf("silver", "files"));
      const { code, output } = await project.run(["up", "--yes"]);
      expect([code, output]).toEqual([0, output]);
      expectKept(emulator, "silver", "files", "hand");
      for (const text of [
        'The bucket "store" was changed outside of Pulumi, and the change was kept',
        'The volume "data" was changed outside of Pulumi, and the change was kept',
        "description, metadata of the volume",
      ])
        expect(flat(output)).toContain(text);
      const again = await project.run(["up", "--yes", "--skip-preview", "--refresh"]);
      expect(again.code).toBe(0);
      const [bucket] = emulator.inventory.list().filter(({ kind: found }) => found === "bucket");
      expect(bucket).toMatchObject({ anonymous: true, versioning: false });
    }),
);
