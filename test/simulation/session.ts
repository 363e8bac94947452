import type { Emulator } from "../../emulator/emulator.ts";
import { account, customer } from "../../emulator/state/id.ts";
import { inWordsOf } from "../../provider/core/wording.ts";
import { openSession, type Session } from "../../provider/engine/session.ts";
import type { Ended, Transport } from "../../provider/platform/ports.ts";
import { createDraw } from "./draw.ts";
import type { Report } from "./report.ts";
import { origin, region, type Scenario } from "./scenario.ts";
import { type LeakFinder, secrets } from "./secret.ts";
import type { Process, World } from "./world.ts";

/** Behaviour of the command for one-time passwords during a run; with `none` no command is configured. */
export type Passwords = "one for each" | "none" | "a wrong one" | "the same again" | "a failure";

/** Settings of a provider process, and the parts that it is connected to. */
export interface Place {
  readonly scenario: Scenario;
  readonly adoptExisting: boolean;
  readonly world: World;
  readonly emulator: Emulator;
  readonly leaks: LeakFinder;
  readonly report: Report;
  /** Account and customer of the credentials. Default: those of the emulator's default. */
  readonly owner?: { readonly account: string; readonly customer: string };
}

const user = { email: "user@example.com", password: secrets.password };
const identities = {
  key: { apiKey: secrets.apiKey },
  root: user,
  user: { ...user, accountUser: true },
};

/** Opens the session of a new process. */
export function sessionOf(
  { scenario, adoptExisting, world, emulator, leaks, report, owner = { account, customer } }: Place,
  process: Process,
  transport: Transport,
  passwords: Passwords,
): Session {
  const { maxRequestsPerSecond, identity, cloud, otpRequired } = scenario;
  const asks = otpRequired && passwords !== "none";
  let last: string | undefined;
  const password = (): string => {
    if (passwords === "a wrong one") return secrets.wrongPassword;
    last = passwords === "the same again" && last !== undefined ? last : emulator.password();
    return last;
  };
  return openSession(
    {
      ...identities[identity],
      // The order that the emulator needs, as an operator finds by trial.
      floatingIpAttachOrder:
        cloud.assume?.floatingIpAttachOrder === "detach-holds" ? "target-first" : "holder-first",
      ...{ baseUrl: origin, region, maxRequestsPerSecond, adoptExisting },
      ...{ accountId: owner.account, customerId: owner.customer, otpRequired, user: "ana" },
      ...{ accessKey: "emulator-access-key", secretKey: secrets.secretKey },
      ...(asks ? { otpCommand: "print one" } : {}),
    },
    {
      clock: process.clock,
      transport,
      foreign: transport,
      random: createDraw(`${emulator.seed}/${world.now()}`),
      async command(): Promise<Ended> {
        if (passwords === "a failure") return { status: 1, output: "" };
        const output = password();
        leaks.learn(output);
        return { status: 0, output };
      },
    },
    (_, message, facts) => {
      const line = `${inWordsOf("terraform", message)} ${JSON.stringify(facts)}`;
      if (leaks.finds(line)) report.violation("I5", `a secret is in the log: ${line}`);
    },
  );
}
