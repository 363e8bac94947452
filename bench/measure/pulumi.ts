import { join } from "node:path";
import type { Stack } from "../../test/adapter/adapter.ts";
import { type Kind, openProject } from "../../test/support/engine/pulumi.ts";
import { ensureEngine } from "../../tools/engines/engine.ts";
import { type Cloud, openCloud } from "../cloud.ts";
import { inFolder } from "../folder.ts";
import type { Bench, Figure, Measure } from "../measure.ts";

/** Measures the commands of Pulumi with both adapters, and the size of a resource in Pulumi's state. */

const count = 100;
const kinds: readonly Kind[] = ["pulumi", "dynamic"];
const title = { pulumi: "plugin", dynamic: "dynamic classes" } as const;

const stack: Stack = [
  { name: "net", resource: "vpc", inputs: { name: "net" } },
  ...Array.from({ length: count }, (_, at) => ({
    name: `data-${at}`,
    resource: "volume",
    inputs: {
      vpcId: { ref: "net", property: "id" },
      name: `data-${at}`,
      sizeGb: 1,
      volumeType: "ssd",
    },
  })),
];

async function measure(bench: Bench, cloud: Cloud, folder: string, kind: Kind): Promise<void> {
  cloud.forget();
  const engine = await ensureEngine("pulumi");
  const project = await openProject(engine, join(folder, kind), {
    ...cloud.settings,
    NODE_DISABLE_COMPILE_CACHE: "1",
  });
  await project.write(kind, stack);
  const took: Record<"preview" | "up" | "again" | "destroy", number[]> = {
    preview: [],
    up: [],
    again: [],
    destroy: [],
  };
  const timed = async (name: keyof typeof took, ...args: string[]) => {
    const began = performance.now();
    await project.done(...args);
    took[name].push((performance.now() - began) / 1000);
  };
  let asked = 0;
  let bytes = 0;
  for (let round = bench.rounds(3); round > 0; round--) {
    bench.step(`${title[kind]}: preview, up, up again, destroy of ${count}`);
    const before = cloud.requests().length;
    await timed("preview", "preview");
    asked += cloud.requests().length - before;
    await timed("up", "up", "--yes", "--skip-preview");
    const volumes = (await project.state()).filter(({ type }) => type.endsWith("Volume"));
    bytes = Buffer.byteLength(JSON.stringify(volumes)) / count;
    await timed("again", "up", "--yes", "--skip-preview");
    await timed("destroy", "destroy", "--yes", "--skip-preview");
  }
  const what = (rest: string) => `pulumi: ${title[kind]}, ${rest}`;
  const seconds = (name: keyof typeof took, rest: string): Figure => ({
    what: what(`${rest} of ${count}`),
    unit: "s",
    samples: took[name],
  });
  bench.report(
    seconds("preview", "preview"),
    seconds("up", "up"),
    seconds("again", "up without a change"),
    seconds("destroy", "destroy"),
    { what: what("requests of the previews"), unit: "requests", samples: [asked], goal: 0 },
    { what: what("state of a volume"), unit: "bytes", samples: [bytes] },
  );
}

export const pulumi: Measure = {
  name: "pulumi",
  about: `${count} volumes under Pulumi, and the bytes of their state`,
  run: (bench) =>
    inFolder(async (folder) => {
      const cloud = await openCloud();
      try {
        for (const kind of kinds) await measure(bench, cloud, folder, kind);
      } finally {
        await cloud.close();
      }
    }),
};
