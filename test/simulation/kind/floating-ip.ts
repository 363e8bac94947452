import type { Ref, Row, SimulatedKind } from "../kind.ts";

/** Floating IP in the emulator with the ports that it was attached to. */
type Address = Row & {
  readonly reservedPort: string | null;
  readonly places: readonly { readonly since: number; readonly port: string | null }[];
};

export const kind: SimulatedKind = {
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
