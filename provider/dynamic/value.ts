import { type Plain, reveal, type Values } from "../core/value.ts";
import { decode, encode } from "../pulumi/value.ts";

/** What Pulumi's host of dynamic providers hands over and takes back: plain JSON, secrets in clear. */
export type Properties = { [name: string]: Plain };

/** The input that carries the program's name for a resource; `check` takes it out, so that no state holds it. */
export const logicalName = "__logicalName";
/** The input that holds the provider itself; the host needs it among the outputs of every answer. */
export const providerKey = "__provider";

/** The values, without what no definition knows. */
export const fromHost = ({ [providerKey]: _, [logicalName]: __, ...own }: Properties): Values =>
  decode(own) as Values;

/** Plain JSON; the class says which outputs are secret, the host marks what came secret. */
export const toHost = (values: Values): Properties => encode(reveal(values)) as Properties;
