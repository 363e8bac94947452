import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import { packageSchema } from "../../../provider/pulumi/schema/schema.ts";
import { ensureEngine } from "../../../tools/engines/engine.ts";
import { runPulumi } from "../../support/engine/pulumi.ts";

/** Checks the schema of the package with the Pulumi CLI: by the metaschema, and by the binding that generators start with. */

const pulumi = await ensureEngine("pulumi");
const spec = packageSchema("1.2.3");

test.each([
  ["the schema is valid", spec, 0],
  ["a member that the metaschema does not allow is found", { ...spec, keywords: "cloud" }, 1],
  ["a reference to no type is found", { ...spec, types: {} }, 1],
])("%s", async (_, schema, code) => {
  const folder = await mkdtemp(join(tmpdir(), "kcloud-schema-"));
  try {
    await writeFile(join(folder, "schema.json"), JSON.stringify(schema));
    const run = await runPulumi(pulumi, ["schema", "check", "schema.json"], folder, {
      ...process.env,
      ...pulumi.env,
    });
    expect([run.code, run.output.includes("error")]).toEqual([code, code !== 0]);
  } finally {
    await rm(folder, { recursive: true });
  }
});
