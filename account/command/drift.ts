import { parseArguments } from "../../command/argument.ts";
import { gatherSettings } from "../../provider/config/config.ts";
import { realPorts } from "../../provider/platform/real-ports.ts";
import { finish, reportOf, withExitCode } from "../../review/command/main.ts";
import { parseInputs, reportOptionsOf } from "../../review/command/option.ts";
import type { Plan } from "../../review/model/plan.ts";
import { driftOfState } from "../drift.ts";
import { inReadSession } from "../session.ts";
import { readState } from "../state/state.ts";
import { driftCommand } from "./option.ts";
import { interruptible } from "./progress.ts";

/** Runs `kcloud drift`. Returns the exit code. */
export const driftMain = (args: readonly string[]): Promise<number> =>
  withExitCode("drift", async () => {
    const { values, positionals } = parseArguments(driftCommand.options, args);
    const inputs = parseInputs("--state", [...(values.state ?? []), ...positionals]);
    const options = { ...reportOptionsOf(values), judgesDrift: true };
    const states = inputs.map(({ name, path }) => ({ name, file: readState(path) }));
    const total = states.reduce((sum, { file }) => sum + file.objects.length, 0);
    const settings = { given: gatherSettings({}, process.env), ports: realPorts, command: "drift" };
    return interruptible(
      () => "kcloud drift: interrupted",
      async ({ stop, show }) => {
        let compared = 0;
        const onRead = () => {
          compared += 1;
          show(`${compared} of ${total} objects compared`);
        };
        const plans = await inReadSession(settings, async (session) => {
          const read: Plan[] = [];
          for (const state of states) read.push(await driftOfState(session, state, { stop }, onRead));
          return read;
        });
        show(undefined);
        process.stderr.write(`kcloud drift: ${total} ${total === 1 ? "object" : "objects"} compared\n`);
        return finish(await reportOf(plans, options), options);
      },
    );
  });
