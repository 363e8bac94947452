import type { Settings } from "../../config/config.ts";
import { passwordProblem } from "../../config/config.ts";
import { PasswordError } from "../../core/error.ts";
import { attribute, wording } from "../../core/wording.ts";
import type { Ports } from "../../platform/ports.ts";
import { unlessAborted } from "./single-flight.ts";

/** Source of the one-time passwords that guarded deletes require (docs/contract.md#17.6). */
export interface OneTimePasswords {
  /**
   * Returns a password for the delete of the object `what`; call it immediately before the request is sent. Returns each
   * password once; undefined if none is left and `otp_required` is off. Throws `PasswordError` if a required password is
   * not available or `otp_command` fails, or the signal's reason.
   */
  next(what: string, signal: AbortSignal): Promise<string | undefined>;
}

/** Maximum time in ms to wait for a new password: time-based passwords change every 30 or 60 seconds. */
const waitMs = 90_000;
const pauseMs = 3_000;

/**
 * Creates the password source of a process. `SERVICE_OTP` is used for the first guarded delete. `otp_command` runs for
 * each later one, one command at a time, and runs again while it prints a used password: the API accepts each password
 * once. The provider never reads standard input, which the engine uses.
 */
export function createOneTimePasswords(
  { oneTimePassword, otpCommand, otpRequired }: Settings,
  { command, clock }: Pick<Ports, "command" | "clock">,
  learn: (secret: string) => void,
): OneTimePasswords {
  const used = new Set<string>();
  let configured = oneTimePassword;
  let last: Promise<unknown> = Promise.resolve();

  async function ask(what: string, signal: AbortSignal): Promise<string | undefined> {
    signal.throwIfAborted();
    const password = configured ?? (otpCommand && (await unusedPassword(otpCommand, what, signal)));
    configured = undefined;
    if (password === undefined && otpRequired) throw new PasswordError(used.size === 0 ? lacking : spent);
    if (password !== undefined) used.add(password);
    return password;
  }

  async function unusedPassword(line: string, what: string, signal: AbortSignal): Promise<string> {
    for (const until = clock.monotonic() + waitMs; ; await clock.sleep(pauseMs, signal)) {
      const password = await runCommand(line, what, signal);
      if (!used.has(password)) return password;
      if (clock.monotonic() >= until)
        throw new PasswordError(wording`${commandSetting} printed a one-time password that was already used`);
    }
  }

  async function runCommand(line: string, what: string, signal: AbortSignal): Promise<string> {
    const { status, output } = await command(line, { SERVICE_OTP_FOR: what }, signal);
    if (status !== 0)
      throw new PasswordError(
        wording`${commandSetting} failed (${typeof status === "number" ? `exit status ${status}` : status})`,
      );
    const password = output.trim();
    const problem = passwordProblem(password);
    if (problem !== undefined) throw new PasswordError(wording`the output of ${commandSetting} ${problem}`);
    learn(password);
    return password;
  }

  return {
    next(what, signal) {
      const turn = last.then(() => ask(what, signal));
      last = turn.catch(() => {});
      // The command of another delete may run until the deadline of that delete.
      return unlessAborted(turn, signal);
    },
  };
}

const commandSetting = attribute("otpCommand");
const lacking = "the delete requires a one-time password, and none is set";
const spent = "each delete requires its own one-time password, and none is left";
