import { randomUUID } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { entriesOf } from "../../account/seed/entry.ts";
import { seedOf } from "../../account/seed/seed.ts";
import { readState } from "../../account/state/state.ts";
import { createEmulator, parseInventory } from "../../emulator/emulator.ts";
import { terraformSource } from "../../provider/core/name.ts";
import { inFolder } from "../folder.ts";
import { interleave, type Measure, ratio } from "../measure.ts";

/** An emulator with the objects of a state of 10,000 volumes, compared with the parsing of its JSON. */

const count = 10_000;
/** Goal of the ratio of durations. */
const slowest = 10;

function stateText(): string {
  const region = "In-Bangalore-1";
  const krn = (type: string) =>
    `krn:${type.replace(":", `:${region}:000000000000:${randomUUID()}:`)}:${randomUUID()}`;
  const vpc = krn("vpc:vpc");
  const row = (type: string, name: string, attributes: object) => ({
    ...{ mode: "managed", type, name, provider: `provider["${terraformSource}"]` },
    instances: [{ schema_version: 0, attributes: { region, name, ...attributes } }],
  });
  const volumes = Array.from({ length: count }, (_, number) => {
    const content = {
      size_gb: 10,
      volume_type: "ssd",
      description: "data of a service",
      metadata: { tier: "gold" },
    };
    return row("kcloud_volume", `data-${number}`, { id: krn("kbs:volume"), vpc_id: vpc, ...content });
  });
  const resources = [row("kcloud_vpc", "net", { id: vpc }), ...volumes];
  return JSON.stringify({
    version: 4,
    terraform_version: "1.16.0",
    serial: 1,
    lineage: randomUUID(),
    resources,
  });
}

async function timed(work: () => unknown): Promise<number> {
  const start = performance.now();
  work();
  return performance.now() - start;
}

export const seed: Measure = {
  name: "seed",
  about: `an emulator with the objects of a state of ${count} objects, compared with the parsing of its JSON`,
  run: (bench) =>
    inFolder(async (folder) => {
      const text = stateText();
      const file = join(folder, "terraform.tfstate");
      await writeFile(file, text);
      const load = () => {
        const { inventory } = seedOf(entriesOf([readState(file)]));
        const emulator = createEmulator();
        emulator.load(parseInventory(inventory));
        if (emulator.inventory.list().length < count) throw new Error("the emulator lacks objects");
      };
      bench.step(`${count} objects`);
      const took = await interleave(bench.rounds(15), {
        seed: () => timed(load),
        parse: () => timed(() => JSON.parse(text)),
      });
      bench.report(
        { what: `seed: JSON.parse of a state of ${count} objects`, unit: "ms", samples: took.parse },
        {
          what: "seed: state to emulator ÷ JSON.parse",
          unit: "×",
          samples: ratio(took.seed, took.parse),
          goal: slowest,
        },
      );
    }),
};
