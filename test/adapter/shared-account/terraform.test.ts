import { terraformEngines } from "../../../tools/engines/engine.ts";
import { terraformAdapter } from "../../support/engine/terraform.ts";
import { testSharedAccount } from "./shared-account.ts";

for (const engine of await terraformEngines()) testSharedAccount(terraformAdapter(engine));
