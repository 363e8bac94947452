import { inNetwork, type LifecycleCase } from "../adapter/lifecycle/case.ts";
import type { Ref, SimulatedKind } from "../simulation/kind.ts";

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

export const simulatedKind: SimulatedKind = {
  needs: ["vpc", "port", "security-group"],
  make: (_draw, _nth, refs) => ({
    portId: refs.port as Ref,
    securityGroups: [refs["security-group"] as Ref],
  }),
  // Two lists of groups for one port would overwrite each other.
  accepts: ({ resource, inputs }, { others }) =>
    resource !== "port" || (others === 0 && inputs.securityGroups === undefined),
  successor: null,
  vary: (_, inputs) => inputs,
  is: () => false,
};
