import { terraformEngines } from "../tools/engines/engine.ts";
import { terraformFace } from "./engine/terraform.ts";
import { leadShop } from "./stack.ts";

for (const engine of await terraformEngines()) leadShop(terraformFace(engine));
