import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { ensureEngine } from "../../../tools/engines/engine.ts";
import { opening } from "../client.ts";
import { startServer } from "../process.ts";

/** Tools of a folder with a program of Pulumi. */

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "kcloud-mcp-program-"));
});
afterAll(() => rm(folder, { recursive: true }));

test("a program of Pulumi without a state is planned and rehearsed as a new stack", async () => {
  const yaml = `name: shop
runtime: yaml
resources:
  net:
    type: kcloud:Vpc
    properties:
      name: shop
`;
  await writeFile(join(folder, "Pulumi.yaml"), yaml);
  const engine = await ensureEngine("pulumi-yaml");
  const args = ["--folder", folder, "--engine", engine.path];
  const { child, ended, ask, call } = startServer(args, { ...process.env, ...engine.env });
  await ask("initialize", opening);
  const names = (await ask("tools/list")).result.tools.map(({ name }: { name: string }) => name);
  expect(names.slice(-4)).toEqual(["plan", "rehearse", "review", "verdict"]);
  expect((await call("plan")).structuredContent.changes).toMatchObject([
    { address: "kcloud:index:Vpc::net", action: "create" },
  ]);
  expect((await call("rehearse")).structuredContent).toMatchObject({ isComplete: true, secondPlan: [] });
  child.stdin.end();
  expect(await ended).toEqual([0, null]);
});
