import type { Settings } from "../../config/config.ts";
import { hasUnknown, isRecord, reveal, UNKNOWN, type Value, type Values } from "../../core/value.ts";
import type { Resource } from "../../definition/resource.ts";

/**
 * Tags that a resource gets from the provider (`default_tags`) beside its own. The cloud knows one set of them, which
 * is `tagsAll` here; `tags` are those that the resource is given itself, and win.
 */

type Defaults = Pick<Settings, "defaultTags">;

const hasTags = ({ fields }: Resource): boolean => Object.hasOwn(fields, "tagsAll");

const recordOf = (value: Value | undefined): Values => {
  const shown = reveal(value ?? null);
  return isRecord(shown) ? shown : {};
};

/** None rather than an empty map: a cloud writes both alike. */
const filled = (tags: Values): Value => (Object.keys(tags).length === 0 ? null : tags);

/** Whether they change in place: then those from the provider follow its configuration, also of what stands. */
export const followsProvider = ({ fields: { tags }, verbs }: Resource): boolean =>
  verbs.update !== undefined && tags?.kind === "field" && tags.options.change === "update";

/** What `tagsAll` of an object will be that gets its tags now, for a plan. */
export function plannedTags(resource: Resource, inputs: Values, { defaultTags }: Defaults): Values {
  if (!hasTags(resource)) return {};
  const unknown = hasUnknown(inputs.tags);
  return { tagsAll: unknown ? UNKNOWN : filled({ ...defaultTags, ...recordOf(inputs.tags) }) };
}

/** Values as the cloud has them or gets them: every tag, its own or not. */
export function withAllTags(resource: Resource, values: Values, { defaultTags }: Defaults): Values {
  if (!hasTags(resource)) return values;
  const others =
    values.tagsAll === undefined || values.tagsAll === null ? defaultTags : recordOf(values.tagsAll);
  return { ...values, tags: filled({ ...others, ...recordOf(values.tags) }) };
}

/**
 * What the cloud shows, with its own tags told apart from those that came from the provider: now, or when it was made,
 * which `mine` remembers.
 */
export function withOwnTags(
  resource: Resource,
  seen: Values,
  mine: Values,
  { defaultTags }: Defaults,
): Values {
  if (!hasTags(resource)) return seen;
  const own = recordOf(mine.tags);
  const before = recordOf(mine.tagsAll);
  const shown = recordOf(seen.tags);
  const ownEntries = Object.entries(shown).filter(
    ([key, value]) => Object.hasOwn(own, key) || (value !== defaultTags[key] && value !== before[key]),
  );
  return { ...seen, tags: filled(Object.fromEntries(ownEntries)), tagsAll: filled(shown) };
}

/** What is wanted of an object that stands, with the tags that it gets from the provider, or has since it was made. */
export function withKeptTags(resource: Resource, inputs: Values, prior: Values, defaults: Defaults): Values {
  if (!hasTags(resource)) return inputs;
  if (followsProvider(resource)) return { ...inputs, ...plannedTags(resource, inputs, defaults) };
  const own = recordOf(prior.tags);
  const inherited = Object.entries(recordOf(prior.tagsAll)).filter(([key]) => !Object.hasOwn(own, key));
  return { ...inputs, tagsAll: Object.fromEntries(inherited) };
}
