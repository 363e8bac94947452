import type { Ref, Row, SimulatedKind } from "../kind.ts";

/** Where an address has lain, as the emulator holds it. */
type Address = Row & {
  readonly reservedPort: string | null;
  readonly places: readonly { readonly since: number; readonly port: string | null }[];
};

export const kind: SimulatedKind = {
  place: 10,
  needs: ["vpc", "subnet", "port"],
  make: (draw, nth, refs) => ({
    vpcId: refs.vpc as Ref,
    subnetId: refs.subnet as Ref,
    name: `ours-${nth}`,
    ...(draw.chance(0.7) ? { portId: refs.port as Ref } : {}),
  }),
  // A port that another one has just left may still hold its address.
  takes: ({ resource }, { newest }) => resource !== "port" || newest,
  successor: ({ portId: _, ...inputs }, nth) => ({ ...inputs, name: `ours-${nth}` }),
  vary: (draw, { portId, ...inputs }, nth) =>
    draw.pick([{ ...inputs, ...(portId === undefined ? {} : { portId }), name: `ours-${nth}` }, inputs]),
  // Somebody takes it off its port.
  drift: (_, row) => {
    const { places, reservedPort } = row as Address;
    return { places: [...places, { since: places.at(-1)?.since ?? 0, port: reservedPort }] };
  },
};
