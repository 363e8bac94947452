import { type Fault, FaultError } from "./fault.ts";

/** Notation of `--fault`, for help texts and errors. */
export const faultNotation = "TARGET[#N|#N-M|#N+][~P]=[before-|after-]KIND[,NAME=VALUE]...";

const optionNames = ["retry-after", "location", "field", "word", "naming", "delay-ms", "body"] as const;

/**
 * Parses a fault: `create_vpc=503`, `create_volume#2=after-reset`, `GET /kbs/*#1-3=404`, `*~0.1=500`,
 * `create_vpc#1=429,retry-after=2`. A body is last, since it may contain commas. Throws `FaultError`.
 */
export function parseFault(spec: string): Fault {
  const separator = spec.indexOf("=");
  if (separator < 1) throw new FaultError(`a fault is written ${faultNotation}`);
  return { ...parseTarget(spec.slice(0, separator)), ...parseEffect(spec.slice(separator + 1)) };
}

function parseTarget(text: string): Pick<Fault, "target" | "from" | "times" | "probability"> {
  const match = /^([^#~]+)(?:#(\d+)(?:(\+)|-(\d+))?)?(?:~(\d*\.?\d+))?$/.exec(text);
  if (!match?.[1]) throw new FaultError(`${text} is not a target; a fault is written ${faultNotation}`);
  const [, target, first, onwards, last, probability] = match;
  const range =
    first === undefined
      ? {}
      : { from: Number(first), ...(onwards ? {} : { times: Number(last ?? first) - Number(first) + 1 }) };
  return { target, ...range, ...(probability === undefined ? {} : { probability: Number(probability) }) };
}

function parseEffect(text: string): Omit<Fault, "target" | "from" | "times" | "probability"> {
  const bodyAt = text.indexOf(",body=");
  const plain = bodyAt < 0 ? text : text.slice(0, bodyAt);
  const [head = "", ...pairs] = plain.split(",");
  const match = /^(?:(before|after)-)?(.+)$/.exec(head);
  const named = Object.fromEntries(pairs.map(parsePair));
  const when = match?.[1] === "before" || match?.[1] === "after" ? match[1] : undefined;
  return {
    kind: match?.[2] ?? "",
    when,
    retryAfter: named["retry-after"],
    location: named.location,
    field: named.field,
    word: named.word,
    naming: named.naming,
    delayMs: named["delay-ms"] === undefined ? undefined : parseWholeNumber(named["delay-ms"]),
    ...(bodyAt < 0 ? {} : { body: parseFaultBody(text.slice(bodyAt + ",body=".length)) }),
  };
}

function parsePair(pair: string): [string, string] {
  const [name = "", ...value] = pair.split("=");
  if (!(optionNames as readonly string[]).includes(name) || value.length === 0) {
    throw new FaultError(`${pair} is not an option of a fault; the options are ${optionNames.join(", ")}`);
  }
  return [name, value.join("=")];
}

function parseWholeNumber(text: string): number {
  if (!/^\d+$/.test(text)) throw new FaultError("delay-ms is a whole number of milliseconds");
  return Number(text);
}

function parseFaultBody(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Formats target and kind of a fault for the request log. */
export function formatFault(fault: Fault): string {
  return `${fault.target}=${fault.when === undefined ? "" : `${fault.when}-`}${fault.kind}`;
}
