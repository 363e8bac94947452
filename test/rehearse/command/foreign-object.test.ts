import { join } from "node:path";
import { expect, test } from "@jest/globals";
import { ensureEngine } from "../../../tools/engines/engine.ts";
import { openSite } from "../../support/engine/open-site.ts";
import { applied, classes, machine, network, rehearse, write } from "../run.ts";
import * as pulumi from "../run-program.ts";

/** Rehearsals in which a delete fails, because another state has an object that uses the deleted one. */

const terraform = await ensureEngine("terraform");
const site = openSite();

test("a subnet with a machine of another state cannot be replaced, and the error is that of the API", async () => {
  // A delete has the time limit of the state.
  const brief = network.replace('"10.0.1.0/24"', '"10.0.1.0/24"\n  timeouts {\n    delete = "5s"\n  }');
  const folder = await applied(site, terraform, brief);
  const id = (kind: string) =>
    JSON.stringify(site.emulator.inventory.list().find((item) => item.kind === kind)?.krn);
  const other = await applied(site, terraform, machine(id("subnet"), id("vpc"), id("security_group")));
  await write(folder, brief.replace("10.0.1.0/24", "10.0.2.0/24"));
  const alone = await rehearse(site, terraform, folder);
  expect(alone.code).toBe(0);
  const { code, rehearsal, stdout } = await rehearse(site, terraform, folder, {
    args: ["--state", join(other.path, "terraform.tfstate")],
  });
  expect(code).toBe(3);
  expect(classes(rehearsal)).toMatchObject({ "subnet.a": "failed", "vpc.net": "untouched" });
  expect(rehearsal.errors).toEqual([{ text: expect.stringContaining("subnet a is in use by web") }]);
  expect(rehearsal.secondPlan).toBeUndefined();
  expect(stdout).toMatch(/^The change fails\./);
});

test("Pulumi: a subnet with a machine of another state cannot be replaced, and the error is that of the API", async () => {
  const engine = await ensureEngine("pulumi");
  const program = pulumi.network.replace('/24" })', '/24" }, { customTimeouts: { delete: "5s" } })');
  const project = await pulumi.appliedProgram(site, engine, program);
  const state = await pulumi.exported(project);
  const id = (kind: string) =>
    JSON.stringify(site.emulator.inventory.list().find((item) => item.kind === kind)?.krn);
  const other = await applied(site, terraform, machine(id("subnet"), id("vpc"), id("security_group")));
  await project.program(program.replace("10.0.1.0/24", "10.0.2.0/24"));
  const { code, rehearsal, stdout } = await pulumi.rehearseProgram(site, engine, project, {
    state,
    args: ["--state", join(other.path, "terraform.tfstate")],
  });
  expect(code).toBe(3);
  expect(pulumi.classes(rehearsal)).toMatchObject({ "Subnet.a": "failed", "Vpc.net": "untouched" });
  expect(rehearsal.errors).toEqual([
    { address: "kcloud:index:Subnet::a", text: expect.stringContaining("subnet a is in use by web") },
  ]);
  expect(rehearsal.steps).toMatchObject([{ action: "delete", result: "failed" }]);
  expect(rehearsal.secondPlan).toBeUndefined();
  expect(stdout).toMatch(/^The change fails\./);
});
