import { terraformEngines } from "../../../tools/engines/engine.ts";
import { terraformAdapter } from "../../support/engine/terraform.ts";
import { testCrash } from "./crash.ts";

for (const engine of await terraformEngines()) testCrash(terraformAdapter(engine));
