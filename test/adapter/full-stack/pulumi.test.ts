import { ensureEngine } from "../../../tools/engines/engine.ts";
import { pulumiAdapter } from "../../support/engine/pulumi.ts";
import { yamlAdapter } from "../../support/engine/pulumi-yaml.ts";
import { testFullStack } from "./full-stack.ts";

const engine = await ensureEngine("pulumi");

testFullStack(pulumiAdapter(engine, "pulumi"));
testFullStack(pulumiAdapter(engine, "dynamic"));
testFullStack(yamlAdapter(await ensureEngine("pulumi-yaml")));
