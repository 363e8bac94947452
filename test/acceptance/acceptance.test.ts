import { ensureEngine } from "../../tools/engines/engine.ts";
import { createDraw } from "../simulation/draw.ts";
import { cases } from "./catalogue.ts";
import { readTable } from "./import-table.ts";
import { testCases } from "./suite.ts";

/** The acceptance harness of Terraform providers runs a share of the cases, drawn by a seed; `sweep.test.ts` runs all of them. */

const { KCLOUD_ACCEPTANCE_SEED = String(Math.floor(Date.now() / 86_400_000)) } = process.env;
console.log(`KCLOUD_ACCEPTANCE_SEED=${KCLOUD_ACCEPTANCE_SEED}`);

const draw = createDraw(`acceptance ${KCLOUD_ACCEPTANCE_SEED}`);
const drawn = new Set(Array.from({ length: 3 }, () => draw.pick(cases)));

testCases(await ensureEngine("terraform"), [...drawn], await readTable());
