import { terraformEngines } from "../../../tools/engines/engine.ts";
import { terraformFace } from "../../support/engine/terraform.ts";
import { leadLives } from "./lifecycle.ts";

for (const engine of await terraformEngines()) leadLives(terraformFace(engine));
