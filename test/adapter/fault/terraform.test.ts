import { ensureEngine } from "../../../tools/engines/engine.ts";
import { terraformFace } from "../../support/engine/terraform.ts";
import { drawLifecycles } from "./fault.ts";

const engines = [await ensureEngine("terraform"), await ensureEngine("opentofu")];

drawLifecycles(engines.map(terraformFace), "test/adapter/fault/terraform.test.ts");
