import { type Server, WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/server";

/** Sessions of clients that speak a version of the protocol with sessions. Each belongs to the key with which it began. */

export interface Session {
  readonly transport: WebStandardStreamableHTTPServerTransport;
  /** Digest of the key. */
  readonly owner: string;
}

/** Key with which a session begins. */
export interface Owner {
  readonly digest: string;
  /** Returns true once the API has accepted the key. */
  isAccepted(): boolean;
}

interface Open extends Session, Pick<Owner, "isAccepted"> {
  readonly server: Server;
  usedAt: number;
}

export interface Sessions {
  /** Returns a session of a key; undefined if there is none, also if it is that of another key. */
  find(id: string, owner: string): Session | undefined;
  /**
   * Opens a session for an `initialize` request. If there are too many, the one ends that was used the longest time ago, and before those of
   * accepted keys every other one.
   */
  open(owner: Owner, server: Server): Promise<Session>;
  /** Closes the sessions that were idle for too long. */
  sweep(): void;
  close(): Promise<void>;
}

export interface SessionLimits {
  readonly most: number;
  /** Maximum number of sessions with one key. */
  readonly mostPerKey: number;
  /** Time in ms after the last request. */
  readonly idleMs: number;
  readonly now: () => number;
}

export const sessionLimits: SessionLimits = {
  most: 200,
  mostPerKey: 20,
  idleMs: 15 * 60_000,
  now: () => performance.now(),
};

export function createSessions(limits: SessionLimits = sessionLimits): Sessions {
  const { most, mostPerKey, idleMs, now } = limits;
  const open = new Map<string, Open>();
  const end = (id: string) => {
    const session = open.get(id);
    open.delete(id);
    return session?.server.close();
  };
  const sweep = () => {
    for (const [id, { usedAt }] of open) if (now() - usedAt > idleMs) void end(id);
  };
  return {
    find(id, owner) {
      const session = open.get(id);
      if (session === undefined || session.owner !== owner) return undefined;
      session.usedAt = now();
      return session;
    },
    async open({ digest: owner, isAccepted }, server) {
      sweep();
      const oldest = (all: readonly (readonly [string, Open])[]) =>
        all.toSorted(
          ([, one], [, other]) =>
            Number(one.isAccepted()) - Number(other.isAccepted()) || one.usedAt - other.usedAt,
        )[0]?.[0];
      const own = [...open].filter(([, session]) => session.owner === owner);
      // A client may leave without a request to end its session, and one that still needs it initializes a new one.
      const ended =
        own.length >= mostPerKey ? oldest(own) : open.size >= most ? oldest([...open]) : undefined;
      if (ended !== undefined) void end(ended);
      const id = crypto.randomUUID();
      const transport = new WebStandardStreamableHTTPServerTransport({
        sessionIdGenerator: () => id,
        onsessionclosed: () => void end(id),
      });
      const session = { transport, owner, isAccepted, server, usedAt: now() };
      // It counts from now on. One whose request is refused ends when it has been idle.
      open.set(id, session);
      await server.connect(transport);
      return session;
    },
    sweep,
    async close() {
      await Promise.allSettled([...open.keys()].map(end));
    },
  };
}
