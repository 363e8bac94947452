import { ensureEngine } from "../../../tools/engines/engine.ts";
import { pulumiAdapter } from "../../support/engine/pulumi.ts";
import { testLifecycles } from "./lifecycle.ts";

const engine = await ensureEngine("pulumi");

testLifecycles(pulumiAdapter(engine, "pulumi"));
testLifecycles(pulumiAdapter(engine, "dynamic"));
