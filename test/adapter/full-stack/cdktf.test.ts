import { ensureEngine } from "../../../tools/engines/engine.ts";
import { cdktfAdapter } from "../../support/engine/cdktf.ts";
import { testFullStack } from "./full-stack.ts";

testFullStack(cdktfAdapter("cdktf", await ensureEngine("terraform")));
testFullStack(cdktfAdapter("cdktn", await ensureEngine("opentofu")));
