import { InputError } from "../../core/error.ts";
import { fieldName, plural, term } from "../../core/name.ts";
import type { Values } from "../../core/value.ts";
import { check } from "../../definition/check.ts";
import type { Lookup, ResourceLookup } from "../../definition/function.ts";
import { verbInputs } from "../../definition/verb-inputs.ts";
import { shareListing } from "../existence/current.ts";
import { type Call, work } from "../operation.ts";
import { withRedaction } from "../redaction.ts";
import { regionOfCall } from "../region.ts";
import type { Session } from "../session.ts";
import { ever } from "../shared-listing.ts";
import { findAll, findOne, type LookupRequest } from "./find.ts";

export { lookupsOf } from "./resource-lookup.ts";

/** Timeout in seconds: engines set none for lookups. */
const seconds = 120;

/**
 * Runs a lookup, which changes nothing. Throws `InputError` for invalid inputs, `OperationError` if a request fails.
 */
export async function lookup(
  session: Session,
  definition: Lookup,
  written: Values,
  call: Call,
): Promise<Values> {
  const { inputs, problems } = check(definition, written);
  if (problems.length > 0) throw new InputError(problems);
  const { name, regional } = definition;
  const region = regionOfCall(session, definition, inputs);
  const about = {
    doing: `looking up the ${term(name)}`,
    seconds,
    existence: { is: "nothing changed" },
    facts: { lookup: name },
  } as const;
  return work(withRedaction(session, definition, inputs), about, call, async (work) => {
    const found =
      "read" in definition
        ? await definition.read({
            api: work.api(region),
            region,
            inputs: verbInputs(inputs),
            share: (what, list) =>
              shareListing(
                work,
                { scope: JSON.stringify(["lookup", region, what]), object: "", after: ever },
                list,
              ),
            now: () => session.serverClock.time(),
          })
        : await findFor(definition, { work, region, inputs: verbInputs(inputs) });
    return { ...(found as Values), ...(regional === false ? {} : { region }) };
  });
}

/** Runs a lookup that is derived from a resource. */
const findFor = async ({ resource, finds }: ResourceLookup, request: LookupRequest): Promise<Values> =>
  finds === "one"
    ? findOne(resource, request)
    : { [fieldName(plural(resource.name))]: await findAll(resource, request) };
