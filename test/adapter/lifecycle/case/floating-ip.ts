import { inNetwork, type LifecycleCase } from "../case.ts";

const of = (ref: string) => ({ ref, property: "id" });
const shore = (name: string, cidr: string) => ({
  name,
  resource: "subnet",
  inputs: { vpcId: inNetwork, name, cidr },
});
const inputs = { vpcId: inNetwork, name: "life", subnetId: of("shore") };
const replace = { ...inputs, name: "life-2" };

export const lifecycleCase: LifecycleCase = {
  dependencies: [
    shore("shore", "10.0.13.0/24"),
    shore("far-shore", "10.0.14.0/24"),
    { name: "pole", resource: "port", inputs: { vpcId: inNetwork, name: "pole", subnetId: of("shore") } },
  ],
  inputs,
  update: { ...inputs, portId: of("pole") },
  replace,
  replaceSameName: { ...replace, subnetId: of("far-shore"), portId: of("pole") },
  // The address is back on the port that was reserved with it.
  drift: { change: { places: [] }, planned: "update" },
  importId: (id, vpc) => `${vpc},${id}`,
};
