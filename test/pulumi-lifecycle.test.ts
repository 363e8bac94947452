import { ensureEngine } from "../tools/engines/engine.ts";
import { pulumiFace } from "./engine/pulumi.ts";
import { leadLives } from "./lifecycle.ts";

const engine = await ensureEngine("pulumi");

leadLives(pulumiFace(engine, "pulumi"));
leadLives(
  pulumiFace(engine, "dynamic", {
    import: "Pulumi imports by an id alone, and a dynamic provider is found by a property of the object",
  }),
);
