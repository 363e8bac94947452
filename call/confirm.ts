import { destructionOf, effectOfCall } from "../operation/destruction/destruction.ts";
import { confirmationOf, confirmsByName, identifierName } from "../operation/destruction/identifier.ts";
import type { Effect, Operation } from "../operation/operation.ts";
import type { Values } from "../provider/core/value.ts";
import { optionOf } from "./parameter.ts";
import { oneLine } from "./text.ts";
import type { World } from "./world.ts";

/** Confirmation of a call by its effect, before the request is sent. */

/** Call that was not confirmed: nothing was sent. */
export class UnconfirmedError extends Error {}

/** Call to confirm. */
export interface ConfirmedCall {
  readonly name: string;
  readonly operation: Operation;
  readonly inputs: Values;
  readonly options: { readonly yes?: true; readonly confirm?: string };
  /** Address of the API. */
  readonly address: string;
  readonly account: string | undefined;
  /** Reads the name of the object that is destroyed; undefined if it is not known. */
  readonly readName: () => Promise<string | undefined>;
}

/** Asks by the effect of an operation. Throws `UnconfirmedError`. */
export async function confirm(call: ConfirmedCall, world: Pick<World, "terminal" | "stop">): Promise<void> {
  await byEffect[effectOfCall(call, call.inputs)](call, world);
}

const byEffect: {
  readonly [E in Effect]: (call: ConfirmedCall, world: Pick<World, "terminal" | "stop">) => Promise<void>;
} = { reads: async () => {}, changes: confirmChange, destroys: confirmDestroy };

/** Returns the sentences of a question. */
const introduction = ({ name, operation, address, inputs }: ConfirmedCall): string =>
  [
    `${name} at ${oneLine(address)}: ${operation.about}`,
    ...(effectOfCall({ name, operation }, inputs) === "destroys" ? lossOf(name) : []),
    ...(operation.endpoint.semantics === "metered" ? ["Each call is billed."] : []),
  ].join(" ");

/** Returns the sentence about what is lost, if the one of the operation lacks it. */
function lossOf(name: string): string[] {
  const { about, when } = destructionOf(name) ?? {};
  const text = when?.about ?? about;
  return text === undefined ? [] : [text.replaceAll("`", "")];
}

async function confirmChange(
  call: ConfirmedCall,
  { terminal, stop }: Pick<World, "terminal" | "stop">,
): Promise<void> {
  if (call.options.yes) return;
  const billed = call.operation.endpoint.semantics === "metered" ? " and is billed" : "";
  if (!terminal.canAsk)
    throw new UnconfirmedError(`${call.name} changes something${billed}: without a terminal, it needs --yes`);
  terminal.say(introduction(call));
  const answer = await terminal.ask("Send it? [y/N] ", stop);
  if (!/^\s*y(es)?\s*$/i.test(answer)) throw new UnconfirmedError("not confirmed");
}

async function confirmDestroy(
  call: ConfirmedCall,
  { terminal, stop }: Pick<World, "terminal" | "stop">,
): Promise<void> {
  const { name, operation, inputs, options, account } = call;
  const wanted = confirmationOf(call, inputs, account);
  const parameter = identifierName({ name, operation });
  const what = parameter === undefined ? `"${oneLine(wanted)}"` : `the value of --${optionOf(parameter)}`;
  if (options.confirm !== undefined && options.confirm !== wanted)
    throw new UnconfirmedError(`--confirm is not ${what}`);
  if (options.yes && options.confirm === wanted) return;
  if (!terminal.canAsk)
    throw new UnconfirmedError(
      `${name} destroys: without a terminal, it needs --yes and --confirm with ${what}`,
    );
  terminal.say(introduction(call));
  const found = await call.readName();
  const title = found !== undefined && confirmsByName(found) ? found : undefined;
  if (found !== undefined) terminal.say(`The object is named ${JSON.stringify(oneLine(found))}.`);
  const either = title === undefined ? "" : ", or its name,";
  const typed = (await terminal.ask(`Type ${oneLine(wanted)}${either} to confirm: `, stop)).trim();
  if (typed === "" || (typed !== wanted && typed !== title)) throw new UnconfirmedError("not confirmed");
}
