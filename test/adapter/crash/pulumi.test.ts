import { ensureEngine } from "../../../tools/engines/engine.ts";
import { pulumiFace } from "../../support/engine/pulumi.ts";
import { surviveDeath } from "./crash.ts";

const pulumi = await ensureEngine("pulumi");
surviveDeath(pulumiFace(pulumi, "pulumi"));
surviveDeath(pulumiFace(pulumi, "dynamic"));
