import { join } from "node:path";
import { bundle } from "../../tools/bundle.ts";
import { inFolder } from "../folder.ts";
import { type Figure, interleave, type Measure, ratio } from "../measure.ts";
import { goProvider } from "../peer/go.ts";
import { compileExecutable, handshakeEnvironment, pulumiPlugin, root, terraformPlugin } from "../plugin.ts";
import { untilExit, untilLine } from "../process.ts";

/**
 * Builds the Terraform plugin of a checkout with all definitions loaded before the handshake line; the published plugin
 * loads them afterwards. Returns the path of the file.
 */
export async function buildEager(outfile: string, checkout: string): Promise<string> {
  const contents = `import "./provider/terraform/rpc/rpc.ts"; import "./provider/terraform/main.ts";`;
  await bundle({ absWorkingDir: checkout, stdin: { contents, resolveDir: checkout } }, outfile);
  return outfile;
}

/** Time from the start of a process to the line with which the engine connects to it. */
export const start: Measure = {
  name: "start",
  about: "spawn to handshake of the plugins",
  run: (bench) =>
    inFolder(async (folder) => {
      const { execPath: node } = process;
      bench.step("compiling the executable");
      const [eager, executable, go] = [
        await buildEager(join(folder, "eager.cjs"), root),
        await compileExecutable(join(folder, "executable")),
        await goProvider(),
      ];
      const handshake = handshakeEnvironment();
      const rounds = bench.rounds(25);
      bench.step(`${rounds} rounds of seven starts`);
      const samples = await interleave(rounds, {
        floor: () => untilExit(node, ["-e", "0"]),
        terraform: () => untilLine(node, [terraformPlugin], handshake),
        eager: () => untilLine(node, [eager], handshake),
        pulumi: () => untilLine(node, [pulumiPlugin, "127.0.0.1:1"]),
        go: () => untilLine(go, [], handshake),
        executable: () => untilLine(executable.terraform, [], handshake),
        executablePulumi: () => untilLine(executable.pulumi, ["127.0.0.1:1"]),
      });
      const against = (what: string, taken: readonly number[], goal?: number): Figure => ({
        what: `start: ${what} ÷ \`node -e 0\``,
        unit: "×",
        samples: ratio(taken, samples.floor),
        goal,
      });
      const took = (what: string, taken: readonly number[]): Figure => ({
        what: `start: ${what}`,
        unit: "ms",
        samples: taken,
      });
      bench.report(
        took("`node -e 0`, to its end", samples.floor),
        took("Terraform plugin, to its line", samples.terraform),
        took("Terraform plugin, definitions loaded before the line", samples.eager),
        took("Pulumi plugin, to its line", samples.pulumi),
        took("Go provider, to its line", samples.go),
        took("executable as Terraform plugin, to its line", samples.executable),
        took("executable as Pulumi plugin, to its line", samples.executablePulumi),
        against("Terraform plugin", samples.terraform, 2.5),
        against("Terraform plugin, definitions first", samples.eager, 2.5),
        against("Pulumi plugin", samples.pulumi, 2.3),
      );
    }),
};
