import { ensureEngine } from "../tools/engines/engine.ts";
import { surviveDeath } from "./death.ts";
import { pulumiFace } from "./engine/pulumi.ts";

const pulumi = await ensureEngine("pulumi");
surviveDeath(pulumiFace(pulumi, "pulumi"));
surviveDeath(pulumiFace(pulumi, "dynamic"));
