import { terraformEngines } from "../../tools/engines/engine.ts";
import { cases } from "./catalogue.ts";
import { readTable } from "./import-table.ts";
import { testCases } from "./suite.ts";

const { KCLOUD_ACCEPTANCE = "" } = process.env;
const table = await readTable();
const chosen = cases.filter(({ name }) => new RegExp(KCLOUD_ACCEPTANCE).test(name));

for (const engine of await terraformEngines()) testCases(engine, chosen, table);
