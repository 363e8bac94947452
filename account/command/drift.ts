import { parseArguments } from "../../command/argument.ts";
import { gatherSettings } from "../../provider/config/config.ts";
import { openSession, readOnly } from "../../provider/engine/engine.ts";
import { realPorts } from "../../provider/platform/real-ports.ts";
import { finish, reportOf, withExitCode } from "../../review/command/main.ts";
import { parseInputs, reportOptionsOf } from "../../review/command/option.ts";
import { driftOfState } from "../drift.ts";
import { readState } from "../state/state.ts";
import { driftCommand } from "./option.ts";

/** Runs `kcloud drift`. Returns the exit code. */
export const driftMain = (args: readonly string[]): Promise<number> =>
  withExitCode("drift", async () => {
    const { values, positionals } = parseArguments(driftCommand.options, args);
    const inputs = parseInputs("--state", [...(values.state ?? []), ...positionals]);
    const options = { ...reportOptionsOf(values), judgesDrift: true };
    const states = inputs.map(({ name, path }) => ({ name, file: readState(path) }));
    const session = readOnly(openSession(gatherSettings({}, process.env), realPorts, () => {}, "drift"));
    const stop = new AbortController().signal;
    const plans = [];
    for (const state of states) plans.push(await driftOfState(session, state, { stop }, () => {}));
    return finish(await reportOf(plans, options), options);
  });
