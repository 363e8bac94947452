import type { Emulator } from "../../emulator/emulator.ts";

/** Observations of the emulator during a rehearsal, from its inventory. */

export interface Observation {
  /** KRNs of the instances that run, and are neither being stopped nor restarted. */
  readonly running: ReadonlySet<string>;
  /** Connections that users of the cloud notice, by a key that a replacement of a machine, group or volume does not change. */
  readonly connections: ReadonlyMap<string, Connection>;
}

export interface Connection {
  readonly text: string;
  /** Machine of an address: another address there replaces it. */
  readonly machine?: string;
}

interface Row {
  readonly kind: string;
  readonly krn: string;
  readonly name: string;
  readonly [field: string]: unknown;
}

/** Returns what exists now; deletions and attachments in progress count as done. */
export function observe(emulator: Emulator): Observation {
  const objects = new Map<string, Row>(emulator.snapshot().objects.map((row) => [row.krn, row]));
  const now = emulator.clock.now();
  const running = new Set<string>();
  emulator.inventory.each((resource, kind) => {
    const { krn, move, running: wasRunning } = resource as Moving;
    if (kind !== "instance" || resource.deletingAt !== undefined) return;
    if (move === undefined ? wasRunning : now >= move.work.endsAt && move.action !== "stop") running.add(krn);
  });
  return { running, connections: connectionsIn(objects) };
}

interface Moving {
  readonly krn: string;
  readonly running?: boolean;
  readonly move?: { readonly action: string; readonly work: { readonly endsAt: number } };
}

function connectionsIn(objects: ReadonlyMap<string, Row>): Map<string, Connection> {
  const nameOf = (krn: unknown): string => JSON.stringify(objects.get(String(krn))?.name ?? String(krn));
  return new Map(
    [...objects.values()].flatMap((row): [string, Connection][] => {
      if (row.kind === "floating_ip") {
        const instance = objects.get(String(row.port))?.instance;
        if (typeof instance !== "string") return [];
        return [
          [
            // A machine that is replaced may get the same address by chance.
            `address ${row.krn} ${nameOf(instance)}`,
            {
              text: `the address ${row.address} at the instance ${nameOf(instance)}`,
              machine: nameOf(instance),
            },
          ],
        ];
      }
      if (row.kind === "volume_attachment")
        return [
          [
            `volume ${nameOf(row.volume)} ${nameOf(row.instance)}`,
            { text: `the volume ${nameOf(row.volume)} at the instance ${nameOf(row.instance)}` },
          ],
        ];
      if (row.kind !== "security_group_rule") return [];
      const content = `${row.direction} ${row.protocol} ${row.portMin}-${row.portMax} ${row.remote}`;
      return (row.groups as readonly string[]).map((group) => [
        `rule ${content} ${nameOf(group)}`,
        { text: `${content} in the security group ${nameOf(group)}` },
      ]);
    }),
  );
}

/** Effects between the first and the last of several observations. */
export interface Course {
  /** KRNs of instances that ran before and after and did not run in between. */
  readonly interrupted: readonly string[];
  /** Connections that existed before and after and not in between, and addresses that another one replaces. */
  readonly absent: readonly string[];
}

export function courseOf(observations: readonly Observation[]): Course {
  const [first, last] = [observations[0], observations.at(-1)];
  if (first === undefined || last === undefined) return { interrupted: [], absent: [] };
  const addressed = new Set([...last.connections.values()].map(({ machine }) => machine));
  return {
    interrupted: [...first.running].filter(
      (krn) => last.running.has(krn) && observations.some(({ running }) => !running.has(krn)),
    ),
    absent: [...first.connections].flatMap(([key, { text, machine }]) => {
      if (!last.connections.has(key))
        return machine !== undefined && addressed.has(machine)
          ? [`${text}, which another address replaces`]
          : [];
      return observations.some(({ connections }) => !connections.has(key)) ? [text] : [];
    }),
  };
}
