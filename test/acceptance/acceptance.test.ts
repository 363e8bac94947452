import { terraformEngines } from "../../tools/engines/engine.ts";
import { createDraw } from "../simulation/draw.ts";
import { cases } from "./catalogue.ts";
import { readTable } from "./import-table.ts";
import { testCases } from "./suite.ts";

/**
 * The acceptance harness of Terraform providers with a few cases, which a seed draws: by default the day. `sweep.test.ts` runs all
 * cases.
 */

const { KCLOUD_ACCEPTANCE_SEED = String(Math.floor(Date.now() / 86_400_000)) } = process.env;
console.log(`KCLOUD_ACCEPTANCE_SEED=${KCLOUD_ACCEPTANCE_SEED}`);

const draw = createDraw(`acceptance ${KCLOUD_ACCEPTANCE_SEED}`);
const table = await readTable();

for (const [at, engine] of (await terraformEngines()).entries()) {
  const drawn = new Set(Array.from({ length: at === 0 ? 2 : 1 }, () => draw.pick(cases)));
  testCases(engine, [...drawn], table);
}
