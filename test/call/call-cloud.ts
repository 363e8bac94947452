import { expect } from "@jest/globals";
import { callIn } from "../../call/run.ts";
import type { Terminal } from "../../call/terminal.ts";
import type { EmulatorOptions } from "../../emulator/emulator.ts";
import { customer } from "../../emulator/state/id.ts";
import type { Transport } from "../../provider/platform/ports.ts";
import { type Between, type Cloud, openCloud, recorded, type SentRequest } from "../support/cloud.ts";

/** `kcloud call` and an emulator in one process, on the clock of `openCloud`. */

/** Settings in the environment. */
export const settings = {
  SERVICE_BASE_URL: "http://127.0.0.1:1",
  SERVICE_API_KEY: "emulator-key",
  SERVICE_REGION: "In-Bangalore-1",
  SERVICE_ACCOUNT_ID: "000000000000",
  SERVICE_ACCESS_KEY: "emulator-access-key",
  SERVICE_SECRET_KEY: "emulator-secret-key",
  SERVICE_USER: "someone",
  SERVICE_CUSTOMER_ID: customer,
  SERVICE_MAX_REQUESTS_PER_SECOND: "0",
} as const;

/** Surroundings of one call. */
export interface CallSetting {
  /** Lines that a person types, in order; undefined without a terminal. */
  readonly typed?: readonly string[];
  /** True if standard output is a terminal, too. */
  readonly showsOutput?: boolean;
  readonly columns?: number;
  readonly input?: string;
  readonly environment?: NodeJS.ProcessEnv;
  readonly stop?: AbortSignal;
  readonly setOutcome?: (text: string) => void;
  /** Number of writes after which the reader of standard output closes it. */
  readonly closesAfter?: number;
}

export interface Called {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
  /** Questions that were asked, with `hidden` for those without an echo. */
  readonly questions: readonly string[];
}

export interface CallCloud {
  readonly cloud: Cloud;
  /** Requests to the API, in the order in which they were sent. */
  readonly sent: SentRequest[];
  call(args: readonly string[], setting?: CallSetting): Promise<Called>;
  /** Calls, and returns the response. Throws the text of an error. */
  answer<T>(...args: readonly string[]): Promise<T>;
}

/** Opens an emulator for calls. */
export function openCallCloud(emulator: EmulatorOptions = {}, between: Between = {}): CallCloud {
  const sent: SentRequest[] = [];
  const wrap = (transport: Transport) => recorded(between.wrap?.(transport) ?? transport, sent);
  const cloud = openCloud(emulator, {}, { ...between, wrap });
  const call = async (
    [name = "", ...args]: readonly string[],
    setting: CallSetting = {},
  ): Promise<Called> => {
    const { typed, input = "", environment = {}, stop = new AbortController().signal } = setting;
    const { setOutcome = () => {} } = setting;
    const [out, err, questions]: [Buffer[], string[], string[]] = [[], [], []];
    const answers = [...(typed ?? [])];
    let writes = 0;
    const terminal: Terminal = {
      canAsk: typed !== undefined,
      showsOutput: setting.showsOutput ?? false,
      columns: setting.columns ?? 80,
      async ask(question, signal) {
        signal.throwIfAborted();
        questions.push(question);
        return answers.shift() ?? "";
      },
      async askSecret(question, signal) {
        signal.throwIfAborted();
        questions.push(`hidden ${question}`);
        return answers.shift() ?? "";
      },
      say: (line) => void err.push(`${line}\n`),
      async write(part) {
        writes += 1;
        if (setting.closesAfter !== undefined && writes > setting.closesAfter) return false;
        out.push(Buffer.from(part));
        return true;
      },
    };
    const work = callIn(name, args, {
      terminal,
      ports: cloud.session.ports,
      environment: { ...settings, ...environment },
      async *input() {
        yield Buffer.from(input);
      },
      stop,
      setOutcome,
    });
    const code = await cloud.run(work);
    return { code, stdout: Buffer.concat(out).toString(), stderr: err.join(""), questions };
  };
  return {
    cloud,
    sent,
    call,
    async answer(...args) {
      const { code, stdout, stderr } = await call(args);
      if (code !== 0) throw new Error(`${code}: ${stderr}`);
      return stdout === "" ? undefined : JSON.parse(stdout);
    },
  };
}

/** Expects that a call is refused before anything is sent. */
export async function expectRefused(args: readonly string[], problem: string): Promise<void> {
  const { call, sent } = openCallCloud();
  const stderr: unknown = expect.stringContaining(`kcloud call: ${problem}\n`);
  expect(await call(args)).toMatchObject({ code: 2, stderr });
  expect(sent).toEqual([]);
}
