import { terraformEngines } from "../../../tools/engines/engine.ts";
import { terraformAdapter } from "../../support/engine/terraform.ts";
import { testLifecycles } from "./lifecycle.ts";

for (const engine of await terraformEngines()) testLifecycles(terraformAdapter(engine, { outputs: true }));
