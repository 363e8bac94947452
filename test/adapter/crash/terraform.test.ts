import { terraformEngines } from "../../../tools/engines/engine.ts";
import { terraformFace } from "../../support/engine/terraform.ts";
import { surviveDeath } from "./crash.ts";

for (const engine of await terraformEngines()) surviveDeath(terraformFace(engine));
