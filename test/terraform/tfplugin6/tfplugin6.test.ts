import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import { ProviderDefinition } from "../../../provider/terraform/tfplugin6/tfplugin6.ts";
import { generate } from "../../../tools/proto.ts";

test("the generated codecs match the .proto file", async () => {
  const folder = await mkdtemp(join(tmpdir(), "kcloud-proto-"));
  generate(folder);
  const [fresh, kept] = await Promise.all([
    readFile(join(folder, "tfplugin6.ts"), "utf8"),
    readFile(new URL("../../../provider/terraform/tfplugin6/tfplugin6.ts", import.meta.url), "utf8"),
  ]);
  await rm(folder, { recursive: true });
  expect(fresh === kept ? "fresh" : "run node tools/proto.ts").toBe("fresh");
});

test("every method has the path that engines call", () => {
  expect(ProviderDefinition.fullName).toBe("tfplugin6.Provider");
  const named = Object.entries(ProviderDefinition.methods).filter(
    ([key, { name }]) => `${key.charAt(0).toUpperCase()}${key.slice(1)}` !== name,
  );
  expect(named).toEqual([]);
});
