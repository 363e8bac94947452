import type { Identity, Settings } from "../config/config.ts";
import type { Log } from "../platform/log.ts";
import type { Ports } from "../platform/ports.ts";
import { createOwner, type Owner } from "./owner.ts";
import { createRateLimiter, type RateLimiter } from "./rate-limiter.ts";
import { createRedactor } from "./redact.ts";
import { createServerClock, type ServerClock } from "./server-clock.ts";
import { userAgent } from "./user-agent.ts";

/** Context of requests without the credential: settings, ports, rate limit, log, redaction. */
export interface Connection {
  readonly settings: Settings;
  readonly ports: Ports;
  readonly rateLimiter: RateLimiter;
  readonly owner: Owner;
  readonly serverClock: ServerClock;
  readonly log: Log;
  /** Value of the `User-Agent` header: `kcloud/0.1.0 (pulumi plugin)`. */
  readonly userAgent: string;
  /** Returns the text without any secret of the configuration. */
  redact(text: string): string;
  /** Adds a secret that `redact` removes from all later texts. */
  learn(secret: string): void;
}

const rateLimiters = new WeakMap<Ports, Map<string, RateLimiter>>();

/** Returns the part of an identity that selects the rate limit. */
const rateLimitKey = (identity: Identity): unknown =>
  "apiKey" in identity ? identity.apiKey : [identity.email, identity.account ?? null];

/** Returns the rate limiter that all connections of this process with the same address and identity share. */
function sharedRateLimiter(ports: Ports, settings: Settings): RateLimiter {
  const known = rateLimiters.get(ports) ?? new Map<string, RateLimiter>();
  rateLimiters.set(ports, known);
  const account = JSON.stringify([
    settings.baseUrl,
    rateLimitKey(settings.identity),
    settings.maxRequestsPerSecond,
  ]);
  const rateLimiter = known.get(account) ?? createRateLimiter(ports.clock, settings.maxRequestsPerSecond);
  known.set(account, rateLimiter);
  return rateLimiter;
}

/** Opens a connection with these settings; sends nothing. `adapter` names the caller in the user agent. */
export function openConnection(settings: Settings, ports: Ports, log: Log, adapter?: string): Connection {
  const { identity } = settings;
  const { redact, learn } = createRedactor(["apiKey" in identity ? identity.apiKey : identity.password]);
  for (const secret of [settings.objectKeys?.secretKey, settings.oneTimePassword])
    if (secret !== undefined) learn(secret);
  return {
    settings,
    ports,
    rateLimiter: sharedRateLimiter(ports, settings),
    owner: createOwner(settings),
    serverClock: createServerClock(ports.clock),
    log,
    userAgent: userAgent(adapter),
    redact,
    learn,
  };
}
