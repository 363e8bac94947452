import type { Settings } from "../../config/config.ts";
import { sameText } from "../../core/string.ts";
import { hasUnknown, isRecord, reveal, UNKNOWN, type Value, type Values } from "../../core/value.ts";
import type { Resource } from "../../definition/resource.ts";

/**
 * Tags that a resource gets from the provider (`default_tags`) in addition to its own. The API stores one map of tags,
 * which is `tagsAll` here; `tags` holds the resource's own tags, which take precedence.
 */

type Defaults = Pick<Settings, "defaultTags">;

const hasTags = ({ fields }: Resource): boolean => Object.hasOwn(fields, "tagsAll");

const recordOf = (value: Value | undefined): Values => {
  const shown = reveal(value ?? null);
  return isRecord(shown) ? shown : {};
};

/** Returns null for an empty map, as the API does not distinguish them. */
const filled = (tags: Values): Value => (Object.keys(tags).length === 0 ? null : tags);

/** Returns true if tags change in place: changed provider tags are then applied to existing objects too. */
export const followsProvider = ({ fields: { tags }, verbs }: Resource): boolean =>
  verbs.update !== undefined && tags?.kind === "field" && tags.options.change === "update";

/** Returns the planned `tagsAll` of an object whose tags are set now. */
export function plannedTags(resource: Resource, inputs: Values, { defaultTags }: Defaults): Values {
  if (!hasTags(resource)) return {};
  const unknown = hasUnknown(inputs.tags);
  return { tagsAll: unknown ? UNKNOWN : filled({ ...defaultTags, ...recordOf(inputs.tags) }) };
}

/**
 * Returns true if all tags of an object stay as they are recorded: a tag of its own became one of the provider, or the reverse.
 * Tags of the provider that the object has keep their values.
 */
export function hasSameTags(
  resource: Resource,
  prior: Values,
  inputs: Values,
  { tagsAll: planned = null }: { readonly tagsAll?: Value | undefined },
): boolean {
  if (!hasTags(resource) || hasUnknown(inputs.tags) || hasUnknown(planned)) return false;
  const [stored, before, after] = [recordOf(prior.tagsAll), recordOf(prior.tags), recordOf(inputs.tags)];
  const now = recordOf(planned);
  const isRemoved = (key: string) =>
    Object.hasOwn(before, key) && !Object.hasOwn(after, key) && now[key] !== stored[key];
  return (
    Object.entries(after).every(([key, value]) => Object.hasOwn(stored, key) && stored[key] === value) &&
    !Object.keys(stored).some(isRemoved)
  );
}

/** Returns the values as the API stores them: `tags` holds all tags, the resource's own and the provider's. */
export function withAllTags(resource: Resource, values: Values, { defaultTags }: Defaults): Values {
  if (!hasTags(resource)) return values;
  const others =
    values.tagsAll === undefined || values.tagsAll === null ? defaultTags : recordOf(values.tagsAll);
  return { ...values, tags: filled({ ...others, ...recordOf(values.tags) }) };
}

/** Returns the recorded values with all recorded tags in `tags`, those of the provider at the time of the write included. */
export const withRecordedTags = (resource: Resource, recorded: Values): Values =>
  hasTags(resource)
    ? { ...recorded, tags: filled({ ...recordOf(recorded.tagsAll), ...recordOf(recorded.tags) }) }
    : recorded;

/**
 * Returns the values that the API shows, with only the resource's own tags in `tags` and all tags in `tagsAll`. The
 * provider's tags are the current ones and those of an earlier write, which `recorded` has.
 */
export function withOwnTags(
  resource: Resource,
  observed: Values,
  recorded: Values,
  { defaultTags }: Defaults,
): Values {
  if (!hasTags(resource)) return observed;
  const tags = recordOf(recorded.tags);
  const before = recordOf(recorded.tagsAll);
  const shown = spelledAs(recordOf(observed.tags), { ...defaultTags, ...before, ...tags });
  const ofResource = Object.entries(shown).filter(
    ([key, value]) => Object.hasOwn(tags, key) || (value !== defaultTags[key] && value !== before[key]),
  );
  return { ...observed, tags: filled(Object.fromEntries(ofResource)), tagsAll: filled(shown) };
}

/** Returns the tags that the API shows, each in the Unicode form of the equal known tag. */
export function spelledAs(shown: Values, known: Values): Values {
  const forms = new Map(Object.entries(known).map((entry) => [entry[0].normalize(), entry]));
  return Object.fromEntries(
    Object.entries(shown).map(([key, value]) => {
      const [ownKey, ownValue] = forms.get(key.normalize()) ?? [key, value];
      return [ownKey, sameText(String(value), String(ownValue)) ? ownValue : value];
    }),
  );
}

/**
 * Returns the inputs of an existing object with `tagsAll`: the provider's current tags if tags change in place, otherwise
 * those of its create.
 */
export function withKeptTags(resource: Resource, inputs: Values, prior: Values, defaults: Defaults): Values {
  if (!hasTags(resource)) return inputs;
  if (followsProvider(resource)) return { ...inputs, ...plannedTags(resource, inputs, defaults) };
  const recorded = recordOf(prior.tags);
  const inherited = Object.entries(recordOf(prior.tagsAll)).filter(([key]) => !Object.hasOwn(recorded, key));
  return { ...inputs, tagsAll: Object.fromEntries(inherited) };
}
