import { ensureEngine } from "../../../tools/engines/engine.ts";
import { cdktfFace } from "../../support/engine/cdktf.ts";
import { leadShop } from "./full-stack.ts";

leadShop(cdktfFace("cdktf", await ensureEngine("terraform")));
leadShop(cdktfFace("cdktn", await ensureEngine("opentofu")));
