import { cpus, totalmem } from "node:os";
import { parseArgs } from "node:util";
import { bytes } from "./measure/bytes.ts";
import { call } from "./measure/call.ts";
import { client } from "./measure/client.ts";
import { contender } from "./measure/contender.ts";
import { demo } from "./measure/demo.ts";
import { document } from "./measure/document.ts";
import { growth } from "./measure/growth.ts";
import { instanceClock } from "./measure/instance-clock.ts";
import { instanceEngine } from "./measure/instance-engine.ts";
import { library } from "./measure/library.ts";
import { memory } from "./measure/memory.ts";
import { one } from "./measure/one.ts";
import { pulumi } from "./measure/pulumi.ts";
import { refresh } from "./measure/refresh.ts";
import { review } from "./measure/review.ts";
import { reviewPage } from "./measure/review-page.ts";
import { seed } from "./measure/seed.ts";
import { start } from "./measure/start.ts";
import { thousand } from "./measure/thousand.ts";
import { toolServer } from "./measure/tool-server.ts";
import type { Bench, Figure, Measure } from "./measure.ts";
import { head, missed, row } from "./table.ts";

/** `npm run bench [-- NAME …] [--rounds N]`: measures the results of `npm run build` and prints the rows of one table. */

const measures: readonly Measure[] = [
  start,
  library,
  client,
  one,
  thousand,
  refresh,
  instanceClock,
  instanceEngine,
  demo,
  pulumi,
  memory,
  bytes,
  document,
  contender,
  review,
  reviewPage,
  growth,
  seed,
  toolServer,
  call,
];

const usage = `Usage: npm run bench [-- NAME …] [--rounds N] [--against CHECKOUT]

${measures.map(({ name, about }) => `  ${name.padEnd(16)}${about}`).join("\n")}
`;

const machine = () =>
  `${cpus().length} × ${cpus()[0]?.model.trim()}, ${Math.round(totalmem() / 2 ** 30)} GB, ${process.platform}, Node ${process.versions.node}, ${new Date().toISOString().slice(0, 10)}`;

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      rounds: { type: "string" },
      against: { type: "string" },
      help: { type: "boolean", short: "h" },
    },
  });
  const unknown = positionals.find((name) => !measures.some((measure) => measure.name === name));
  const rounds = values.rounds === undefined ? undefined : Number(values.rounds);
  if (values.help || unknown !== undefined || (rounds !== undefined && !(rounds >= 1))) {
    if (unknown !== undefined) process.stderr.write(`There is no measure ${unknown}.\n\n`);
    process.stderr.write(usage);
    return values.help ? 0 : 2;
  }
  const chosen = measures.filter(({ name }) => positionals.length === 0 || positionals.includes(name));
  process.stdout.write(`${machine()}\n\n${head}\n`);
  const figures: Figure[] = [];
  for (const { name, run } of chosen) {
    const bench: Bench = {
      rounds: (proposed) => rounds ?? proposed,
      against: values.against,
      step: (line) => process.stderr.write(`${name}: ${line}\n`),
      report(...measured) {
        for (const figure of measured) process.stdout.write(`${row(figure)}\n`);
        figures.push(...measured);
      },
    };
    await run(bench);
  }
  const behind = missed(figures);
  process.stdout.write(`\n${behind.length === 0 ? "No goal is missed." : `Missed: ${behind.length}.`}\n`);
  return 0;
}

process.exitCode = await main();
