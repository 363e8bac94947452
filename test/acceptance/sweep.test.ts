import { terraformEngines } from "../../tools/engines/engine.ts";
import { cases } from "./catalogue.ts";
import { readTable } from "./import-table.ts";
import { testCases } from "./suite.ts";

/** The acceptance harness of Terraform providers with all cases, or with those whose names match `KCLOUD_ACCEPTANCE`. */

const { KCLOUD_ACCEPTANCE = "" } = process.env;
const chosen = cases.filter(({ name }) => new RegExp(KCLOUD_ACCEPTANCE).test(name));
const table = await readTable();

for (const engine of await terraformEngines()) testCases(engine, chosen, table);
