import { signIn } from "../client/auth/sign-in.ts";
import { InputError } from "../core/error.ts";
import { term } from "../core/name.ts";
import type { Values } from "../core/value.ts";
import { check } from "../definition/check.ts";
import type { Ephemeral, Lease, Login } from "../definition/function.ts";
import { verbInputs } from "../definition/verb-inputs.ts";
import { type Call, type Work, work } from "./operation.ts";
import { withRedaction } from "./redaction.ts";
import { regionOfCall } from "./region.ts";
import type { Session } from "./session.ts";
import { waitFor } from "./wait/waiter.ts";

/** Operations of ephemeral resources: open, renew and close. The caller stores the lease. */

/** Lease of an open ephemeral resource, with its region. Callers pass `region` and `key` back unchanged. */
export interface LeaseState {
  readonly region: string;
  readonly key: Values;
  /** Wall-clock time of the next renewal, in ms since 1970. */
  readonly renewAt?: number;
}

/** Opened ephemeral resource: its values, and the lease if it has one. */
export interface Opened {
  readonly values: Values;
  readonly lease: LeaseState | undefined;
}

/** Timeout in seconds: engines set none for ephemeral resources. */
const seconds = 120;

function about(doing: string, { name }: Ephemeral) {
  return {
    doing: `${doing} the ${term(name)}`,
    seconds,
    existence: { is: "nothing changed" },
    facts: { ephemeral: name },
  } as const;
}

function keep(session: Session, region: string, { key, renewAfter }: Lease): LeaseState {
  learnKey(session, key);
  const { clock } = session.ports;
  // The engine compares it with the clock of the same machine.
  return { region, key, ...(renewAfter === undefined ? {} : { renewAt: clock.wall() + renewAfter * 1000 }) };
}

/** Adds the texts in the key of a lease to the redaction: they are tokens. */
function learnKey({ learn }: Session, key: Values): void {
  for (const value of Object.values(key)) if (typeof value === "string") learn(value);
}

/** Opens an ephemeral resource. Throws `InputError` for invalid inputs, `OperationError` if a request fails. */
export async function open(
  session: Session,
  ephemeral: Ephemeral,
  written: Values,
  call: Call,
): Promise<Opened> {
  const { inputs, problems } = check(ephemeral, written);
  if (problems.length > 0) throw new InputError(problems);
  const region = regionOfCall(session, ephemeral, inputs);
  return work(withRedaction(session, ephemeral, inputs), about("opening", ephemeral), call, async (work) => {
    const { values, lease } = await ephemeral.verbs.open({
      api: work.api(region),
      region,
      inputs: verbInputs(inputs),
      signIn: (as) => token(work, as),
      now: () => session.serverClock.time(),
      poll: (look) => waitFor(work, `${ephemeral.name} ready`, look),
    });
    for (const [name, { options }] of Object.entries(ephemeral.fields))
      if ("secret" in options && typeof values[name] === "string") session.learn(values[name]);
    return {
      values: { ...(values as Values), ...(ephemeral.regional === false ? {} : { region }) },
      lease: lease && keep(session, region, lease),
    };
  });
}

/** Renews a lease and returns the one to use from then on. */
export async function renew(
  session: Session,
  ephemeral: Ephemeral,
  lease: LeaseState,
  call: Call,
): Promise<LeaseState> {
  const { renew } = ephemeral.verbs;
  if (renew === undefined) return lease;
  learnKey(session, lease.key);
  return work(session, about("renewing", ephemeral), call, async (work) =>
    keep(session, lease.region, await renew({ ...lease, api: work.api(lease.region) })),
  );
}

/** Closes an ephemeral resource, if its definition has the verb `close`. */
export async function close(
  session: Session,
  ephemeral: Ephemeral,
  lease: LeaseState,
  call: Call,
): Promise<void> {
  const { close } = ephemeral.verbs;
  if (close === undefined) return;
  learnKey(session, lease.key);
  await work(session, about("closing", ephemeral), call, (work) =>
    close({ ...lease, api: work.api(lease.region) }),
  );
}

/**
 * Signs in and returns a new token: the provider's own may expire within a minute. Throws `InputError` if no login is
 * given and the provider has an API key.
 */
async function token({ session, signal }: Work, as: Login | undefined): Promise<string> {
  const { identity } = session.settings;
  const login = as ?? ("apiKey" in identity ? undefined : identity);
  if (login !== undefined) return signIn(session, login, signal);
  const problem = "is required with the password: the provider has an API key, which gives no token";
  throw new InputError([{ path: ["email"], problem }]);
}
