import { apiKeyKeeper, type Keeper, tokenKeeper } from "../client/auth/auth.ts";
import { createObjectSession, type ObjectSession } from "../client/auth/object-session.ts";
import { createOneTimePasswords, type OneTimePasswords } from "../client/auth/one-time-password.ts";
import { signIn } from "../client/auth/sign-in.ts";
import { createApi } from "../client/client.ts";
import { type Customer, createCustomer } from "../client/customer.ts";
import { type Budget, createBudget } from "../client/rate-limiter.ts";
import { createRedactor } from "../client/redact.ts";
import { userAgent } from "../client/user-agent.ts";
import { type Identity, type Settings, settled } from "../config/config.ts";
import type { Given } from "../config/setting.ts";
import type { Values } from "../core/value.ts";
import type { Log } from "../platform/log.ts";
import type { Ports } from "../platform/ports.ts";
import { createListings, type Listings } from "./shared-listing.ts";

/** One configuration of the provider at work. A process may hold several. */
export interface Session {
  readonly settings: Settings;
  readonly ports: Ports;
  readonly budget: Budget;
  readonly listings: Listings;
  readonly keeper: Keeper;
  readonly customer: Customer;
  readonly passwords: OneTimePasswords;
  /** The session in which objects are read and written; whoever ends a process ends it. */
  readonly objects: ObjectSession;
  readonly log: Log;
  /** As which program the cloud is asked: `kcloud/0.1.0 (pulumi plugin)`. */
  readonly agent: string;
  /** How long objects of a kind took to become ready in this process, in ms; what a wait expects. */
  readonly typical: Map<string, number>;
  /** When this process made which object: what it makes inside of it may find it not visible yet. */
  readonly made: Map<string, number>;
  /** Ids of what was taken over: what else holds one of them may not delete it. */
  readonly adopted: Set<string>;
  /** Ids under which the cloud showed something gone: no search for what was just made takes one of them. */
  readonly buried: Set<string>;
  /** Ids of what no route deletes, let go of in this process: who makes the same again takes it up. */
  readonly released: Set<string>;
  /** Kinds of objects of which was said, once in this process, that the cloud does not show them. */
  readonly told: Set<string>;
  /** The inputs of creates under way, by the place they are made in: no two of them may mean the same object. */
  readonly making: Map<string, Set<Values>>;
  /** Text with every secret of the configuration taken out. */
  redact(text: string): string;
  /** One more secret: from now on no text holds it. */
  learn(secret: string): void;
}

const budgets = new WeakMap<Ports, Map<string, Budget>>();

/** Who asks, as far as budgets are told apart by it. */
const who = (identity: Identity): unknown =>
  "apiKey" in identity ? identity.apiKey : [identity.email, identity.account ?? null];

/** The budget of an account: every session of this process on the same address and identity shares it. */
function sharedBudget(ports: Ports, settings: Settings): Budget {
  const known = budgets.get(ports) ?? new Map<string, Budget>();
  budgets.set(ports, known);
  const account = JSON.stringify([settings.baseUrl, who(settings.identity), settings.maxRequestsPerSecond]);
  const budget = known.get(account) ?? createBudget(ports.clock, settings.maxRequestsPerSecond);
  known.set(account, budget);
  return budget;
}

const freshMs = 60_000;

/** Whether this process made it so lately that parts of the cloud may not know it yet (contract 17.1). */
export function isFresh({ made, ports }: Session, id: string): boolean {
  const at = made.get(id);
  return at !== undefined && ports.clock.monotonic() - at <= freshMs;
}

/** Takes up work with these settings; sends nothing. `face` says who asks. Throws `ConfigError` where a setting cannot be taken. */
export function openSession(given: Given, ports: Ports, log: Log = () => {}, face?: string): Session {
  const settings = settled(given);
  const { identity } = settings;
  const { redact, learn } = createRedactor(["apiKey" in identity ? identity.apiKey : identity.password]);
  for (const secret of [settings.objectKeys?.secretKey, settings.oneTimePassword])
    if (secret !== undefined) learn(secret);
  const customer = createCustomer(settings.customerId);
  const agent = userAgent(face);
  const line = { settings, ports, budget: sharedBudget(ports, settings), customer, log, redact, agent };
  const session: Session = {
    ...line,
    learn,
    passwords: createOneTimePasswords(settings, ports, learn),
    objects: createObjectSession(settings, ports, learn, (region, signal) =>
      createApi(session, region, signal),
    ),
    keeper:
      "apiKey" in identity
        ? apiKeyKeeper(identity.apiKey)
        : tokenKeeper(ports.clock, (signal) => signIn(line, identity, learn, signal)),
    listings: createListings(ports.clock),
    typical: new Map(),
    made: new Map(),
    adopted: new Set(),
    buried: new Set(),
    told: new Set(),
    released: new Set(),
    making: new Map(),
  };
  return session;
}
