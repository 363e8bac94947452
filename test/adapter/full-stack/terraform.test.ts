import { terraformEngines } from "../../../tools/engines/engine.ts";
import { terraformAdapter } from "../../support/engine/terraform.ts";
import { testFullStack } from "./full-stack.ts";

for (const engine of await terraformEngines()) testFullStack(terraformAdapter(engine));
