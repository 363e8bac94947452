import { terraformEngines } from "../../../tools/engines/engine.ts";
import { terraformAdapter } from "../../support/engine/terraform.ts";
import { testShared } from "./shared.ts";

for (const engine of await terraformEngines()) testShared(terraformAdapter(engine));
