import { ensureEngine } from "../tools/engines/engine.ts";
import { cdktfFace } from "./engine/cdktf.ts";
import { leadShop } from "./stack.ts";

leadShop(cdktfFace("cdktf", await ensureEngine("terraform")));
leadShop(cdktfFace("cdktn", await ensureEngine("opentofu")));
