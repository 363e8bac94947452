import { terraformEngines } from "../../../tools/engines/engine.ts";
import { terraformFace } from "../../support/engine/terraform.ts";
import { leadShop } from "./full-stack.ts";

for (const engine of await terraformEngines()) leadShop(terraformFace(engine));
