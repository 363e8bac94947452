import { inNetwork, type LifecycleCase } from "../adapter/lifecycle/case.ts";
import type { Ref, Row, SimulatedKind } from "../simulation/kind.ts";

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

/** Floating IP in the emulator with the ports that it was attached to. */
type Address = Row & {
  readonly reservedPort: string | null;
  readonly places: readonly { readonly since: number; readonly port: string | null }[];
};

export const simulatedKind: SimulatedKind = {
  needs: ["vpc", "subnet", "port"],
  make: (draw, nth, refs) => ({
    vpcId: refs.vpc as Ref,
    subnetId: refs.subnet as Ref,
    name: `ours-${nth}`,
    ...(draw.chance(0.7) ? { portId: refs.port as Ref } : {}),
  }),
  // A port whose previous floating IP was just removed from the stack may still have it.
  accepts: ({ resource }, { newest }) => resource !== "port" || newest,
  successor: ({ portId: _, ...inputs }, nth) => ({ ...inputs, name: `ours-${nth}` }),
  vary: (draw, { portId, ...inputs }, nth) =>
    draw.pick([{ ...inputs, ...(portId === undefined ? {} : { portId }), name: `ours-${nth}` }, inputs]),
  // Another user detaches the address from its port.
  drift: (_, row) => {
    const { places, reservedPort } = row as Address;
    return { places: [...places, { since: places.at(-1)?.since ?? 0, port: reservedPort }] };
  },
};
