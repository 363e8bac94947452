import { ensureEngine } from "../../../tools/engines/engine.ts";
import { cdktfFace } from "../../support/engine/cdktf.ts";
import { leadLives } from "./lifecycle.ts";

leadLives(cdktfFace("cdktf", await ensureEngine("terraform")));
leadLives(cdktfFace("cdktn", await ensureEngine("opentofu")));
