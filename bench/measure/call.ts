import { join } from "node:path";
import { interleave, type Measure, ratio } from "../measure.ts";
import { root } from "../plugin.ts";
import { untilExit } from "../process.ts";

/** Time of `kcloud call --list`, of the help of an operation, and of a dry run, from the start of the process to its end. */
export const call: Measure = {
  name: "call",
  about: "list, help and dry run of kcloud call",
  async run(bench) {
    const { execPath: node } = process;
    const environment = {
      SERVICE_BASE_URL: "http://127.0.0.1:1",
      SERVICE_API_KEY: "emulator-key",
      SERVICE_REGION: "In-Bangalore-1",
    };
    const rounds = bench.rounds(25);
    bench.step(`${rounds} rounds of four starts`);
    const run = (...args: readonly string[]) =>
      untilExit(node, [join(root, "dist/kcloud"), "call", ...args], { environment });
    const samples = await interleave(rounds, {
      floor: () => untilExit(node, ["-e", "0"]),
      list: () => run("--list"),
      help: () => run("create_volume", "--help"),
      dry: () => run("get_vpc_list", "--dry-run"),
    });
    bench.report(
      { what: "call: `node -e 0`, to its end", unit: "ms", samples: samples.floor },
      { what: "call: `--list`", unit: "ms", samples: samples.list },
      { what: "call: `--help` of an operation", unit: "ms", samples: samples.help },
      { what: "call: `--dry-run`", unit: "ms", samples: samples.dry },
      {
        what: "call: `--list` ÷ `node -e 0`",
        unit: "×",
        samples: ratio(samples.list, samples.floor),
        goal: 1.5,
      },
      {
        what: "call: `--help` ÷ `node -e 0`",
        unit: "×",
        samples: ratio(samples.help, samples.floor),
        goal: 1.5,
      },
    );
  },
};
