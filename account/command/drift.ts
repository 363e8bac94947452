import { parseArguments } from "../../command/argument.ts";
import { gatherSettings } from "../../provider/config/config.ts";
import { openSession, readOnly } from "../../provider/engine/engine.ts";
import { realPorts } from "../../provider/platform/real-ports.ts";
import { finish, reportOf, withExitCode } from "../../review/command/main.ts";
import { parseInputs, reportOptionsOf } from "../../review/command/option.ts";
import { driftOfState } from "../drift.ts";
import { readState } from "../state/state.ts";
import { driftCommand } from "./option.ts";
import { progressOn, stopSignal } from "./progress.ts";

/** Runs `kcloud drift`. Returns the exit code. */
export const driftMain = (args: readonly string[]): Promise<number> =>
  withExitCode("drift", async () => {
    const { values, positionals } = parseArguments(driftCommand.options, args);
    const inputs = parseInputs("--state", [...(values.state ?? []), ...positionals]);
    const options = { ...reportOptionsOf(values), judgesDrift: true };
    const states = inputs.map(({ name, path }) => ({ name, file: readState(path) }));
    const session = readOnly(openSession(gatherSettings({}, process.env), realPorts, () => {}, "drift"));
    const stop = stopSignal();
    const total = states.reduce((sum, { file }) => sum + file.objects.length, 0);
    const show = progressOn(process.stderr);
    let compared = 0;
    const onRead = () => {
      compared += 1;
      show(`${compared} of ${total} objects compared`);
    };
    const plans = [];
    try {
      for (const state of states) plans.push(await driftOfState(session, state, { stop }, onRead));
    } finally {
      show(undefined);
      await session.objectSession.end();
    }
    process.stderr.write(`kcloud drift: ${total} ${total === 1 ? "object" : "objects"} compared\n`);
    return finish(await reportOf(plans, options), options);
  });
