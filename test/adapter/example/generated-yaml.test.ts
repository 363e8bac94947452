import { test } from "@jest/globals";
import { resources } from "../../../resources/index.ts";
import { requiredExample } from "../../../tools/docs/example.ts";
import { yamlProgram } from "../../../tools/docs/program.ts";
import { applyAndDestroy, writeYaml } from "./pulumi.ts";

/** Runs the programs in Pulumi YAML that the pages of resources show, which are generated from the HCL. */

const programs = resources.flatMap(({ name }) => {
  const program = yamlProgram(name, requiredExample(`${name}/main.tf`));
  return program === undefined ? [] : [[name, program] as const];
});

test.each(programs)("the YAML program of %s is applied and destroyed", async (name, program) => {
  await writeYaml(`generated/${name}`, program);
  await applyAndDestroy(`generated/${name}`, 1);
});
