import { ensureEngine } from "../../../tools/engines/engine.ts";
import { cdktfAdapter } from "../../support/engine/cdktf.ts";
import { testLifecycles } from "./lifecycle.ts";

testLifecycles(cdktfAdapter("cdktf", await ensureEngine("terraform")));
testLifecycles(cdktfAdapter("cdktn", await ensureEngine("opentofu")));
