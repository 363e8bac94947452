import { ensureEngine } from "../../../tools/engines/engine.ts";
import { terraformAdapter } from "../../support/engine/terraform.ts";
import { drawLifecycles } from "./fault.ts";

const engines = [await ensureEngine("terraform"), await ensureEngine("opentofu")];

drawLifecycles(
  engines.map((engine) => terraformAdapter(engine)),
  "test/adapter/fault/terraform.test.ts",
);
