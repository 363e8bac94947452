import { uuidOf } from "../../emulator/id.ts";
import type { Resource } from "../../provider/define.ts";
import { type Explanation, explain, type Held, OperationError } from "../../provider/errors.ts";
import type { Verb } from "../../provider/operation.ts";
import { hasUnknown, type Values } from "../../provider/value.ts";
import { resource } from "../cloud.ts";
import type { Failure, Run } from "./double.ts";
import { isMadeBy } from "./noun.ts";
import type { Report } from "./report.ts";
import type { Item } from "./schedule.ts";
import { brokenPromise, idsOf, type Kept, resolved } from "./state.ts";
import type { Truth } from "./truth.ts";
import { DiedError, type World } from "./world.ts";

/** Judges what the provider answers, by what the user saw and what really is. Never asks the provider. */
export interface Judge {
  /** An operation begins; the answer is called with how it ended. */
  begins(run: Run, address: string, verb: Verb): (end: string) => void;
  /** A text that somebody reads, or that is written down (I5). */
  prints(text: string): void;
  says(warning: Explanation): void;
  /** The same of an error; the text. */
  reads(error: unknown): string;
  seen(kept: Kept, held: Held): void;
  /** `planned` is undefined where nothing was promised. */
  made(item: Item, planned: Values | undefined, held: Held): void;
  /** A create or a change failed (I3). */
  failed(
    run: Run,
    item: Item,
    failures: readonly Failure[],
    idOf: (address: string) => string | undefined,
  ): void;
  /** The engine removes it from the state (I4). */
  removed(run: Run, kept: Kept, by: string): void;
}

/** So long after its deadline an operation may still be at it (I6). */
const graceMs = 30_000;

export function createJudge(
  world: World,
  truth: Truth,
  report: Report,
  leaks: (text: string) => boolean,
): Judge {
  const prints = (text: string) => {
    if (leaks(text)) report.violation("I5", `a secret stands in ${JSON.stringify(text)}`);
  };
  const readable = ({ summary, detail }: Explanation) => `${summary}. ${detail.replaceAll("\n", " ")}`;
  const says = (warning: Explanation) => {
    report.trace(`  warning: ${readable(warning)}`);
    prints(readable(warning));
  };
  const contract = (address: string, { id, values }: Held) => {
    if (id === undefined || id === "") report.violation("I10", `${address} succeeded without an id`);
    if (hasUnknown(values)) report.violation("I10", `${address} has an unknown value after it was made`);
    prints(JSON.stringify(values));
  };

  return {
    prints,
    says,
    begins({ timeout, stop }, address, verb) {
      const began = world.now();
      const limit = limitOf(address, verb, timeout);
      let stoppedAt: number | undefined;
      const noted = () => {
        stoppedAt = world.now();
      };
      if (stop.signal.aborted) noted();
      stop.signal.addEventListener("abort", noted, { once: true });
      report.trace(`${verb} ${address}`);
      return (end) => {
        stop.signal.removeEventListener("abort", noted);
        report.trace(`${verb} ${address}: ${end}`);
        if (world.now() - began > limit * 1000 + graceMs)
          report.violation(
            "I6",
            `${verb} ${address} took ${world.now() - began} ms, with ${limit} s to do it`,
          );
        if (stoppedAt !== undefined && world.now() - stoppedAt > 2_000)
          report.violation(
            "I6",
            `${verb} ${address} went on for ${world.now() - stoppedAt} ms after the stop`,
          );
      };
    },
    reads(error) {
      const text = readable(explain(error));
      prints(text);
      if (error instanceof OperationError && error.held !== undefined)
        prints(JSON.stringify(error.held.values));
      const cause = error instanceof OperationError ? (error.cause ?? error) : error;
      if (/internal error/i.test(text)) report.violation("crash", String((cause as Error).stack));
      return text;
    },
    seen: ({ address }, held) => {
      if (held.id !== undefined) contract(address, held);
    },
    made({ address }, planned, held) {
      contract(address, held);
      const broken = planned && brokenPromise(planned, held.values);
      if (broken !== undefined) report.violation("I10", `${address}: ${broken}`);
      if (held.id !== undefined && !truth.exists(held.id))
        report.trace(`  ${held.id} was removed by somebody else meanwhile`);
    },
    failed({ state, engine }, item, failures, idOf) {
      const { error } = failures.findLast(({ address }) => address === item.address) ?? {};
      if (error instanceof DiedError) return;
      const text = readable(explain(error));
      const held = idsOf(state);
      for (const { krn } of objectsOf(truth, item.resource, resolved(item.inputs, idOf))) {
        if (held.has(uuidOf(krn)) || text.includes(uuidOf(krn))) continue;
        const task = state.kept.get(item.address)?.held.task;
        if (truth.isTold(krn) || !/may exist/i.test(text))
          if (task === undefined || engine === "pulumi")
            report.violation("I3", `${krn} of ${item.address} is neither in state nor in the error: ${text}`);
      }
    },
    removed({ state }, { address, held, resource: kind }, by) {
      const { id } = held;
      if (id !== undefined && truth.exists(id))
        report.violation("I4", `${address} left the state by ${by}, and ${id} exists`);
      if (id !== undefined || held.task === undefined) return;
      for (const { krn } of objectsOf(truth, kind, held.values))
        if (!idsOf(state).has(krn))
          report.violation("I4", `${address} left the state by ${by}, and ${krn} exists`);
    },
  };

  function limitOf(address: string, verb: Verb, timeout: number | undefined): number {
    const definition: Resource = resource(address.slice(0, address.indexOf(".")));
    return timeout ?? definition.timeouts[verb === "import" ? "read" : verb];
  }
}

/** The live objects that the provider has made for an address, in any of its lives. */
export const objectsOf = (truth: Truth, resource: string, inputs: Values) =>
  truth
    .rows()
    .filter(
      (row) => truth.isOurs(row.krn) && row.deletingAt === undefined && isMadeBy(row, resource, inputs),
    );
