import { ensureEngine } from "../../../tools/engines/engine.ts";
import { pulumiFace } from "../../support/engine/pulumi.ts";
import { yamlFace } from "../../support/engine/pulumi-yaml.ts";
import { drawLifecycles } from "./fault.ts";

const faces = [
  yamlFace(await ensureEngine("pulumi-yaml")),
  pulumiFace(await ensureEngine("pulumi"), "pulumi"),
];

drawLifecycles(faces, "test/adapter/fault/pulumi.test.ts");
