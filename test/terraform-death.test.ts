import { terraformEngines } from "../tools/engines/engine.ts";
import { surviveDeath } from "./death.ts";
import { terraformFace } from "./engine/terraform.ts";

for (const engine of await terraformEngines()) surviveDeath(terraformFace(engine));
