import { seededDraw } from "../state/id.ts";
import { changesRequest, defaultMoment, isFaultKind, needsResponse } from "./kind.ts";
import type { FaultDetail } from "./response-mutator.ts";

/** Fault to inject. */
export type Fault = FaultDetail & {
  /** Operation name, `*` for all, or a path pattern with `*`, optionally preceded by a method: `POST /kbs/v1/volumes*`. */
  readonly target: string;
  /** A status such as `503`, `html-403`, `reset`, `fin`, `hang`, `delay`, or a response mutator such as `cut-json`. */
  readonly kind: string;
  /** Before or after the operation is executed. Default: after for a changed response, else before. */
  readonly when?: "before" | "after" | undefined;
  /** Text, such as an id, that path, query or body of the request must contain. Default: any request. */
  readonly naming?: string | undefined;
  /** Number of the first matching call to fail, from 1, and the number of failing calls from there. Default: all calls. */
  readonly from?: number | undefined;
  readonly times?: number | undefined;
  /** Probability from 0 to 1 for each matching call, drawn from the seed. */
  readonly probability?: number | undefined;
  /** Milliseconds to wait before the fault is applied. */
  readonly delayMs?: number | undefined;
};

/** Injected fault with the number of matching calls, and the number of calls to which it was applied. */
export type InjectedFault = Fault & {
  readonly id: string;
  readonly when: "before" | "after";
  readonly calls: number;
  readonly hits: number;
};

/** Error for an invalid fault; the message names the invalid part. */
export class FaultError extends Error {
  constructor(message: string) {
    super(message);
    this.name = "FaultError";
  }
}

export type FaultableRequest = {
  readonly operation: string | undefined;
  readonly method: string;
  readonly path: string;
  /** Path, query and body as one text. */
  readonly text: () => string;
};

function matches({ target, naming }: Fault, call: FaultableRequest): boolean {
  if (!isTarget(target, call) || naming === undefined) return isTarget(target, call);
  const text = call.text();
  return text.includes(naming) || text.includes(encodeURIComponent(naming));
}

function isTarget(target: string, call: FaultableRequest): boolean {
  if (target === "*") return true;
  if (!target.includes("/")) return target === call.operation;
  const [method, path] = target.includes(" ") ? target.split(" ", 2) : [call.method, target];
  const pattern = (path ?? "").split("*").map((part) => part.replaceAll(/[.+?^${}()|[\]\\]/g, "\\$&"));
  return method === call.method && new RegExp(`^${pattern.join(".*")}$`).test(call.path);
}

function checked(fault: Fault, operations: readonly string[]): Fault & { when: "before" | "after" } {
  const { target, kind, from = 1, times = 1, probability = 1, delayMs } = fault;
  if (target !== "*" && !target.includes("/") && !operations.includes(target)) {
    throw new FaultError(`no operation is called ${target}; \`kcloud emulator --operations\` lists them`);
  }
  if (!isFaultKind(kind)) throw new FaultError(`unknown fault kind ${kind}`);
  if (kind === "delay" && delayMs === undefined) throw new FaultError("the kind delay needs delay-ms");
  if (needsResponse(kind) && fault.when === "before") {
    throw new FaultError(
      `${kind} changes the response, so it can only apply after the operation was executed`,
    );
  }
  if (changesRequest(kind) && fault.when === "after") {
    throw new FaultError(
      `${kind} changes the request, so it can only apply before the operation is executed`,
    );
  }
  if (!Number.isInteger(from) || from < 1) throw new FaultError("calls are counted from 1");
  if (!Number.isInteger(times) || times < 1) throw new FaultError("a fault must apply to at least one call");
  if (!(probability >= 0 && probability <= 1)) throw new FaultError("a probability is a number from 0 to 1");
  return { ...fault, when: fault.when ?? defaultMoment(kind) };
}

/** Creates the list of injected faults. `operations` are the valid operation names of a target. */
export function createFaults(seed: string, operations: readonly string[]) {
  type Counted = { fault: Fault & { when: "before" | "after" }; id: string; calls: number; hits: number };
  let injected: Counted[] = [];
  let sequence = 0;

  const show = ({ fault, id, calls, hits }: Counted): InjectedFault => ({ ...fault, id, calls, hits });

  function applies(counted: Counted): boolean {
    const { from = 1, times = Number.POSITIVE_INFINITY, probability = 1 } = counted.fault;
    const inRange = counted.calls >= from && counted.calls < from + times;
    return inRange && (probability === 1 || seededDraw(seed, counted.id, counted.calls) < probability);
  }

  return {
    /** Adds a fault and returns its id; throws `FaultError`. */
    add(fault: Fault): string {
      const valid = checked(fault, operations);
      sequence += 1;
      const id = `fault-${sequence}`;
      injected.push({ fault: valid, id, calls: 0, hits: 0 });
      return id;
    },
    /** Removes a fault; false when the id is unknown. */
    remove(id: string): boolean {
      const before = injected.length;
      injected = injected.filter((counted) => counted.id !== id);
      return injected.length < before;
    },
    list: (): InjectedFault[] => injected.map(show),
    clear(): void {
      injected = [];
      sequence = 0;
    },
    /** Counts the call for every matching fault; returns the first that applies. */
    applied(call: FaultableRequest): InjectedFault | undefined {
      let applied: Counted | undefined;
      for (const counted of injected) {
        if (!matches(counted.fault, call)) continue;
        counted.calls += 1;
        if (applied === undefined && applies(counted)) applied = counted;
      }
      if (applied === undefined) return undefined;
      applied.hits += 1;
      return show(applied);
    },
  };
}

export type Faults = ReturnType<typeof createFaults>;
