import { ensureEngine } from "../../../tools/engines/engine.ts";
import { pulumiAdapter } from "../../support/engine/pulumi.ts";
import { yamlAdapter } from "../../support/engine/pulumi-yaml.ts";
import { drawLifecycles } from "./fault.ts";

const adapters = [
  yamlAdapter(await ensureEngine("pulumi-yaml")),
  pulumiAdapter(await ensureEngine("pulumi"), "pulumi"),
];

drawLifecycles(adapters, "test/adapter/fault/pulumi.test.ts");
