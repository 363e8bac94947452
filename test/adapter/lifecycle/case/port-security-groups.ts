import { inNetwork, type LifecycleCase } from "../case.ts";

const of = (ref: string) => ({ ref, property: "id" });
const berth = (name: string) => ({
  name,
  resource: "port",
  inputs: { vpcId: inNetwork, name, subnetId: of("pier") },
});
const guard = (name: string) => ({ name, resource: "security-group", inputs: { vpcId: inNetwork, name } });
const inputs = { portId: of("berth-one"), securityGroups: [of("guard-one")] };

export const lifecycleCase: LifecycleCase = {
  dependencies: [
    { name: "pier", resource: "subnet", inputs: { vpcId: inNetwork, name: "pier", cidr: "10.0.12.0/24" } },
    ...["berth-one", "berth-two", "berth-three"].map(berth),
    ...["guard-one", "guard-two"].map(guard),
  ],
  inputs,
  update: { ...inputs, securityGroups: [of("guard-two"), of("guard-one")] },
  replace: { ...inputs, portId: of("berth-two") },
  replaceSameName: { ...inputs, portId: of("berth-three") },
  drift: { change: { uses: [] }, planned: "update" },
  // The object is the group list of a port, which is deleted only with its subnet.
  deleted: "never",
  undeletable: true,
  importId: (id) => id,
};
