import type { Command, Result, Verb } from "./scene.ts";

/**
 * Results and record of the calls of one command. The provider that serves a real engine and the one that serves the
 * fake engine both follow it.
 */
export interface Script {
  /** Records a call of an object. `key` is the part, or part and id of an object that was replaced before. */
  note(key: string, call: string): void;
  /** Returns the recorded calls of each object, in their order. */
  calls(): Record<string, string[]>;
  /**
   * Returns the result of a call. A call whose result is not a success is held until the engine makes no other call, so
   * that the calls before and after it do not depend on timing. All held calls end together.
   */
  result(part: string, verb: Verb): Promise<Result | "success">;
  /** Counts a call that is running; returns the function that ends it. */
  begin(): () => void;
}

/** Functions by which a script detects that the engine makes no other call, and interrupts the engine. */
export interface Surroundings {
  /** Resolves after the time in which an engine begins its next call. */
  pause(): Promise<void>;
  /** Resolves when the nth held call may end. */
  turn(nth: number): Promise<void>;
  /** Interrupts the engine; resolves when the provider was asked to stop. */
  interrupt(): Promise<void>;
}

export function createScript(
  { results }: Pick<Command, "results">,
  { pause, turn, interrupt }: Surroundings,
): Script {
  const calls: Record<string, string[]> = {};
  let running = 0;
  let held = 0;
  let begun = 0;
  /** True if one of the held calls interrupts the engine. */
  let interrupts = false;
  let released: Promise<void> | undefined;

  async function untilQuiet(): Promise<void> {
    for (;;) {
      const seen = begun;
      await pause();
      if (seen === begun && running === held) return;
    }
  }

  async function release(): Promise<void> {
    await untilQuiet();
    if (interrupts) await interrupt();
    interrupts = false;
    held = 0;
    released = undefined;
  }

  async function hold(): Promise<void> {
    const nth = held;
    held += 1;
    released ??= release();
    await released;
    await turn(nth);
  }

  return {
    note(key, call) {
      calls[key] = [...(calls[key] ?? []), call];
    },
    calls: () => calls,
    async result(part, verb) {
      const result = results[`${part} ${verb}`] ?? "success";
      if (result === "success" || result === "missing") return result;
      if (result === "stop") interrupts = true;
      await hold();
      return result === "stop" ? "success" : result;
    },
    begin() {
      begun += 1;
      running += 1;
      return () => {
        running -= 1;
      };
    },
  };
}
