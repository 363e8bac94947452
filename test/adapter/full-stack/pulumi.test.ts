import { ensureEngine } from "../../../tools/engines/engine.ts";
import { pulumiFace } from "../../support/engine/pulumi.ts";
import { yamlFace } from "../../support/engine/pulumi-yaml.ts";
import { leadShop } from "./full-stack.ts";

const engine = await ensureEngine("pulumi");

leadShop(pulumiFace(engine, "pulumi"));
leadShop(pulumiFace(engine, "dynamic"));
leadShop(yamlFace(await ensureEngine("pulumi-yaml")));
