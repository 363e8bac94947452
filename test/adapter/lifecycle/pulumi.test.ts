import { ensureEngine } from "../../../tools/engines/engine.ts";
import { pulumiFace } from "../../support/engine/pulumi.ts";
import { leadLives } from "./lifecycle.ts";

const engine = await ensureEngine("pulumi");

leadLives(pulumiFace(engine, "pulumi"));
leadLives(pulumiFace(engine, "dynamic"));
