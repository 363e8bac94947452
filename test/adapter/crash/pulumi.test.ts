import { ensureEngine } from "../../../tools/engines/engine.ts";
import { pulumiAdapter } from "../../support/engine/pulumi.ts";
import { testCrash } from "./crash.ts";

const pulumi = await ensureEngine("pulumi");
testCrash(pulumiAdapter(pulumi, "pulumi"));
testCrash(pulumiAdapter(pulumi, "dynamic"));
