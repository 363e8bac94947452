import { callOperation } from "../library/call.ts";
import { type OperationWait, operationWaits, type WaitCall } from "../library/operation-wait.ts";
import { createWaiters } from "../library/waiter.ts";
import { type Operation, parametersOf } from "../operation/operation.ts";
import { allOperations, type NamedOperation } from "../operation/operations.ts";
import type { Client } from "../provider/client/client.ts";
import type { Values } from "../provider/core/value.ts";
import { exitCodes } from "./exit-code.ts";
import { explained } from "./failure.ts";
import { anyAnswer, type Output, writeResponse } from "./response.ts";
import { withoutSecrets } from "./secret-response.ts";
import { jsonText, oneLine } from "./text.ts";
import type { World } from "./world.ts";

/** Wait of a call with `--wait`: after the request, until the object is ready or gone. */

/** Returns the operation of a name. */
function operationOf(name: string): Operation {
  const row = allOperations().find((each) => each.name === name);
  if (row === undefined) throw new TypeError(`no operation ${name}`);
  return row.operation;
}

/** Returns the wait for the object of an operation, and the operation that shows the object; undefined if it has none. */
export function waitOf({ name }: NamedOperation): Wait | undefined {
  const wait = operationWaits[name];
  if (wait === undefined) return undefined;
  return { ...wait, shown: wait.shows === undefined ? undefined : operationOf(wait.shows) };
}

export type Wait = OperationWait & { readonly shown: Operation | undefined };

/** Call with a wait. */
interface WaitedCall {
  readonly row: NamedOperation;
  readonly wait: Wait;
  readonly client: Client;
  readonly inputs: Values;
  readonly region: string;
  /** Maximum time of the call with its wait in ms; undefined for the one of the waiter. */
  readonly timeoutMs: number | undefined;
  readonly world: World;
  readonly output: Output & { readonly field: string | undefined };
}

/**
 * Reads what the wait needs, before the request is sent. Returns a function that waits after it, and writes the object: its exit code says that
 * the change was executed.
 */
export async function prepareWait(waited: WaitedCall): Promise<(response: unknown) => Promise<number>> {
  const { row, wait, client, inputs, region, timeoutMs, world, output } = waited;
  const { terminal, ports, stop } = world;
  const began = ports.clock.monotonic();
  const limits = () => {
    if (timeoutMs === undefined) return { signal: stop };
    const leftMs = timeoutMs - (ports.clock.monotonic() - began);
    return { signal: stop, timeoutMs: Math.max(1, Math.ceil(leftMs / 1000)) * 1000 };
  };
  const read = (operation: Operation, args: { readonly [name: string]: unknown }) => {
    const at = region !== "" && parametersOf(operation).includes("region") ? { region } : {};
    return callOperation(client, { ...operation, answer: anyAnswer }, { ...args, ...at }, limits());
  };
  const call: WaitCall = {
    waiters: createWaiters(client),
    inputs,
    region,
    read: (name, args) => read(operationOf(name), args),
  };
  const facts = (await wait.before?.(call)) ?? {};
  return async (response) => {
    const started = wait.start(call, response, facts);
    if (started === undefined) {
      terminal.say(`kcloud call: ${row.name} was executed, but its response names no object to wait for:`);
      terminal.say(jsonText(withoutSecrets(response, row.operation), client.redact));
      return exitCodes.unclear;
    }
    const what = oneLine(client.redact(started.what));
    world.setOutcome(`${row.name} was executed, and the wait for ${what} is not complete`);
    if (terminal.canAsk) terminal.say(`kcloud call: waiting for ${what}`);
    try {
      const shown = await started.end(limits);
      if (wait.shown === undefined) return exitCodes.done;
      return await writeResponse(await read(wait.shown, shown), wait.shown, { ...output, isRead: false });
    } catch (error) {
      if (stop.aborted) throw stop.reason;
      const lines = `${explained(error)}\n${row.name} was executed, but the wait for ${what} failed: read the object before you call the operation again.`;
      terminal.say(lines.replace(/^/gm, "kcloud call: "));
      return exitCodes.unclear;
    }
  };
}
