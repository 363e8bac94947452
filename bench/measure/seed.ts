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
  // The attributes that Terraform 1.16 writes for each object.
  const row = (type: string, name: string, attributes: object, dependencies: readonly string[] = []) => ({
    ...{ mode: "managed", type, name, provider: `provider["${terraformSource}"]` },
    instances: [
      {
        schema_version: 0,
        attributes: {
          ...attributes,
          name,
          region,
          description: null,
          deletion_protection: null,
          timeouts: null,
        },
        ...{ sensitive_attributes: [], private: "eyJjcmVhdGVkQXQiOjE3OTU4ODY2MjAwMDB9", dependencies },
      },
    ],
  });
  const content = { size_gb: 10, volume_type: "ssd", metadata: { tier: "gold" }, availability_zone: "nova" };
  const others = { multiattach: false, qos: null, source: null, status: "available" };
  const volumes = Array.from({ length: count }, (_, number) =>
    row("kcloud_volume", `data-${number}`, { id: krn("kbs:volume"), vpc_id: vpc, ...content, ...others }, [
      "kcloud_vpc.net",
    ]),
  );
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
        if (emulator.inventory.peek().length < count) throw new Error("the emulator lacks objects");
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
