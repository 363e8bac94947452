import type { Explanation } from "./error.ts";
import { formatObjects, type GivenRemedy, type NamedObject, remediesOf, remedyText } from "./remedy.ts";
import {
  applyCommand,
  assignment,
  attribute,
  attributes,
  capitalized,
  engineNames,
  joinTexts,
  perEngine,
  type Text,
  wording,
} from "./wording.ts";

/**
 * Warnings of the provider. Each has a code, and only this file converts it to text. Terraform merges warnings of equal
 * title, so each title contains the object.
 */

/** Object of a warning: `the volume "data"`. */
interface Subject {
  readonly subject: string;
}

/** Object of a warning, and its id. */
interface Identified extends Subject {
  readonly id: string;
}

/** Parameters of each code. */
interface WarningParameters {
  // Creates.
  readonly adopted: Identified;
  readonly "found-by-search": Identified;
  readonly "sent-again": Subject & { readonly status: number | undefined; readonly seconds: number };
  readonly "may-exist": Subject & { readonly why: Text };
  readonly "started-unknown": Identified & { readonly why: Text };
  readonly "started-failed": Identified & { readonly status: string };
  readonly "started-not-ready": Identified & {
    readonly status: string;
    readonly wanted: string;
    readonly why: Text;
  };
  // Reads.
  readonly "task-without-id": Subject & { readonly seconds: number; readonly task: string };
  readonly "not-shown-yet": Identified & { readonly seconds: number; readonly by: "a listing" | "the API" };
  readonly "drift-invisible": Identified;
  readonly gone: Identified & {
    readonly misses: number;
    /** Ids of listed objects of the same name. */
    readonly namesakes: readonly string[];
    readonly billed: string;
    readonly canKeep: boolean;
    readonly hasSecret: boolean;
  };
  readonly "never-created": Subject & { readonly task: string };
  readonly "created-unseen": Subject & { readonly task: string };
  readonly "gone-kept": Identified & { readonly misses: number };
  readonly "shown-nowhere": Identified;
  readonly "incomplete-kept": Subject & { readonly missing: readonly string[] };
  readonly "incomplete-assumed": Subject & { readonly missing: readonly string[] };
  // Changes and deletes.
  readonly "change-unconfirmed": Subject & { readonly field: string };
  readonly "outside-kept": Identified & { readonly fields: readonly string[] };
  readonly "kept-adopted": Identified;
  readonly "kept-managed": Identified;
  readonly "kept-part": Identified;
  readonly undeletable: Identified & { readonly reason: Text };
  readonly "not-found": Identified;
  // Checks and plans. `described` is the object with its id.
  readonly "unknown-value": { readonly path: string; readonly problem: Text };
  readonly "to-set": { readonly missing: readonly Text[] };
  readonly "not-refreshed": Record<never, never>;
  readonly omitted: { readonly why: Text };
  readonly billed: { readonly text: Text };
  readonly "no-access-key": { readonly problem: Text };
  readonly "other-region": { readonly field: string; readonly idRegion: string; readonly region: string };
  readonly "not-distinct": { readonly field: string; readonly value: string; readonly within: string };
  readonly "moves-region": { readonly recorded: string; readonly region: string };
  readonly "file-unfinished": { readonly source: string; readonly problem: Text };
  readonly replaces: { readonly path: Text; readonly reason: Text };
  readonly "deletes-data": { readonly described: string; readonly text: Text };
  readonly "deletes-parts": {
    readonly field: string;
    readonly objects: readonly NamedObject[];
    readonly text: Text | undefined;
  };
  /** `isSent` is true if the update also has a change that is sent. */
  readonly "not-compared": { readonly fields: readonly string[]; readonly isSent: boolean };
  readonly "deletes-renamed": { readonly described: string };
  readonly "deletes-nothing": { readonly described: string; readonly text: Text };
  readonly "needs-password": { readonly described: string; readonly text: Text };
}

export type WarningCode = keyof WarningParameters;

/** Warning, with the remedies that follow its text. */
export type Warning = {
  [C in WarningCode]: { readonly code: C; readonly remedies?: readonly GivenRemedy[] } & WarningParameters[C];
}[WarningCode];

/** Warning and its text. */
export interface ExplainedWarning extends Explanation {
  readonly warning: Warning;
}

/** Title with the place of the object. */
type Title = `${string}{object}${string}`;

interface WarningText<P> {
  readonly title: Title | ((parameters: P, object: string) => Text);
  readonly detail: (parameters: P) => Text;
}

const providerBlock = perEngine({ terraform: "provider block", pulumi: "explicit provider" });

const ofObject = ({ described, text }: { described: string; text: Text }) => wording`${described}: ${text}`;

const warningTexts: { readonly [C in WarningCode]: WarningText<WarningParameters[C]> } = {
  adopted: {
    title: "{object} existed and was adopted",
    detail: ({ subject, id }) =>
      wording`${subject} existed as ${id} and is managed by this resource now. No other resource, ${providerBlock} or state may manage it: a destroy of either deletes it.`,
  },
  "found-by-search": {
    title: "{object} was found by search",
    detail: ({ subject, id }) =>
      `The create of ${subject} ended without a clear response. A search found ${id}, which is equal and is recorded as the created object. If somebody else created it, remove it from the state before the next change.`,
  },
  "sent-again": {
    title: "The create of {object} was sent again",
    detail: ({ subject, status, seconds }) =>
      `The API returned ${status} for the create of ${subject}. A listing ${seconds} s later did not show it, so the create was sent again. If two objects with this name appear later, one of them is a duplicate.`,
  },
  "may-exist": {
    title: "{object} may exist",
    detail: ({ subject, why }) =>
      wording`The create of ${subject} was interrupted: ${why}. The object is no longer in the state.`,
  },
  "started-unknown": {
    title: "The status of {object} is unknown",
    detail: ({ subject, id, why }) =>
      wording`The API accepted the create of ${subject} (${id}), which is in the state, but its status could not be read: ${why}. A refresh reads it.`,
  },
  "started-failed": {
    title: "{object} has a failed status",
    detail: ({ subject, id, status }) =>
      `The API reports the status of ${subject} (${id}) as ${status}. It stays in the state: changing its inputs or removing the resource cancels it.`,
  },
  "started-not-ready": {
    title: "{object} is not ready yet",
    detail: ({ subject, id, status, wanted, why }) =>
      wording`The last status of ${subject} (${id}) was ${status}, not ${wanted}: ${why}. It stays in the state.`,
  },
  "task-without-id": {
    title: "{object} may exist",
    detail: ({ subject, seconds, task }) =>
      `${subject} was created less than ${seconds} s ago. Its task ${task} shows no ID yet, nor does a listing show it. It stays in the state. A refresh after that time records its ID or removes it.`,
  },
  "not-shown-yet": {
    title: "{object} is not shown yet",
    detail: ({ subject, id, seconds, by }) =>
      wording`${subject} (${id}) was created less than ${seconds} s ago, and ${by} may not show it yet. It stays in the state. If it was deleted outside of ${engineNames}, a refresh after that time removes it.`,
  },
  "drift-invisible": {
    title: "Drift of {object} cannot be detected",
    detail: ({ subject, id }) =>
      `The API does not show ${subject} (${id}), nor other objects of its kind. The state stays unchanged.`,
  },
  gone: {
    title: (_, object) => wording`${object} was deleted outside of ${engineNames}`,
    detail: ({ subject, id, misses, namesakes, billed, canKeep, hasSecret }) =>
      joinTexts(
        [
          `${subject} (${id}) no longer exists: ${misses} reads did not find it.`,
          ...(namesakes.length === 0
            ? []
            : [`A listing shows another object with its name: ${namesakes.join(", ")}.`]),
          wording`The next ${applyCommand} creates it again.`,
          ...(billed === "" ? [] : [billed]),
          ...(canKeep
            ? [wording`To keep it in the state, set ${assignment("keepWhenGone", true)} before that.`]
            : []),
          ...(hasSecret ? ["Its secret is lost: an import does not restore it."] : []),
        ],
        " ",
      ),
  },
  "never-created": {
    title: "{object} was not created",
    detail: ({ subject, task }) =>
      wording`The task ${task} failed, and no listing shows ${subject}. The next ${applyCommand} creates it. If the task left an object that has another name now, delete it in the cloud's console.`,
  },
  "created-unseen": {
    title: "{object} was created but not found",
    detail: ({ subject, task }) =>
      wording`The task ${task} created ${subject} without returning its ID, and no listing shows an object with this name: it was renamed or deleted outside of ${engineNames}. It is no longer in the state. If it has another name now, delete it in the cloud's console.`,
  },
  "gone-kept": {
    title: "{object} no longer exists and stays in the state",
    detail: ({ subject, id, misses }) =>
      wording`${misses} reads did not find ${subject} (${id}). It stays in the state, as ${assignment("keepWhenGone", true)} is set.`,
  },
  "shown-nowhere": {
    title: "The API no longer shows {object}",
    detail: ({ subject, id }) =>
      wording`${subject} (${id}) was detached or deleted outside of ${engineNames}. The next ${applyCommand} deletes what remains of it and creates it again.`,
  },
  "incomplete-kept": {
    title: "The response for {object} was incomplete",
    detail: ({ subject, missing }) =>
      wording`The API did not return ${attributes(missing)} of ${subject}. The state keeps the recorded value.`,
  },
  "incomplete-assumed": {
    title: "The response for {object} was incomplete",
    detail: ({ subject, missing }) =>
      wording`The API did not return ${attributes(missing)} of ${subject}. The configured or default value is recorded; the object may have another one.`,
  },
  "change-unconfirmed": {
    title: ({ field }, object) => wording`The change of ${attribute(field)} of ${object} was not confirmed`,
    detail: ({ subject, field }) =>
      wording`The API gave no clear response to the change of ${attribute(field)} of ${subject}. It is recorded as done and is not sent again. If it was not done, change ${attribute(field)} again.`,
  },
  "outside-kept": {
    title: (_, object) => wording`${object} was changed outside of ${engineNames}, and the change was kept`,
    detail: ({ subject, id, fields }) =>
      wording`The API shows another value than the state for ${attributes(fields)} of ${subject} (${id}). The plan did not show this change, so the update kept it. The state has the planned values; the next refresh shows the difference.`,
  },
  "kept-adopted": {
    title: "{object} was not deleted",
    detail: ({ subject, id }) =>
      wording`Another resource adopted ${subject} (${id}) in this run (${assignment("adoptExisting", true)}), so it was not deleted. To replace it, give the new one another name.`,
  },
  "kept-managed": {
    title: "{object} was not deleted",
    detail: ({ subject, id }) =>
      `Another entry of the state has ${subject} (${id}), so it was not deleted. Only this entry left the state.`,
  },
  "kept-part": {
    title: "{object} was not deleted",
    detail: ({ subject, id }) =>
      `Another entry of the state has an object that would be deleted with ${subject} (${id}), so it was not deleted. Only this entry left the state.`,
  },
  undeletable: {
    title: "No request deleted {object}",
    detail: ({ subject, id, reason }) => wording`${reason} Nothing manages ${subject} (${id}) any more.`,
  },
  "not-found": {
    title: "{object} was not found to be deleted",
    detail: ({ subject, id }) => `${subject} (${id}) was not found, and no listing shows it.`,
  },
  "unknown-value": {
    title: ({ path }, object) => wording`The value of ${path} of ${object} may not be supported`,
    detail: ({ path, problem }) => wording`${path}: ${problem}`,
  },
  "to-set": {
    title: "{object} was imported without values that the API never returns",
    detail: ({ missing }) => wording`Set ${joinTexts(missing, ", ")} before the next ${applyCommand}.`,
  },
  "not-refreshed": {
    title: "{object} was not refreshed",
    detail: () => "The provider configuration is not known yet. The state stays unchanged.",
  },
  omitted: { title: "{object} was omitted from the list", detail: ({ why }) => why },
  billed: { title: "Creating {object} is billed", detail: ({ text }) => text },
  "no-access-key": {
    title: "No access key is set to create {object}",
    detail: ({ problem }) => wording`${attribute("accessKey")} ${problem}. The create fails without one.`,
  },
  "other-region": {
    title: ({ field }, object) =>
      wording`The region of ${object} differs from that of its ${attribute(field)}`,
    detail: ({ field, idRegion, region }) =>
      wording`${attribute(field)} is an ID in ${idRegion}, and ${attribute("region")} is ${region}: the API may not find it.`,
  },
  "not-distinct": {
    title: ({ field }, object) => wording`The ${attribute(field)} of ${object} is used twice`,
    detail: ({ field, value, within }) =>
      wording`Another resource with the same ${attribute(within)} has ${JSON.stringify(value)} as ${attribute(field)}: the API may refuse the second, or choose another value for it. Set a different ${attribute(field)} for each.`,
  },
  "moves-region": {
    title: "The replacement moves {object} to another region",
    detail: ({ recorded, region }) =>
      wording`The object is in ${recorded}, and the new one will be in ${region}, the region of the provider. To keep its region, set ${assignment("region", recorded)}.`,
  },
  "file-unfinished": {
    title: "The file for {object} is not ready",
    detail: ({ source, problem }) =>
      wording`${attribute(source)}: ${problem}. The ${applyCommand} fails unless it writes the file before.`,
  },
  replaces: {
    title: ({ path }, object) => wording`The change of ${path} replaces ${object}`,
    detail: ({ reason }) => reason,
  },
  "deletes-data": { title: "Deleting {object} destroys its data", detail: ofObject },
  "deletes-parts": {
    title: ({ field }, object) => wording`The change of ${attribute(field)} deletes parts of ${object}`,
    detail: ({ objects, text }) =>
      joinTexts(
        [`The change deletes ${formatObjects(objects)}.`, ...(text === undefined ? [] : [text])],
        " ",
      ),
  },
  "not-compared": {
    title: "Values of {object} were not compared",
    detail: ({ fields, isSent }) =>
      wording`Not compared: the API does not show ${attributes(fields)}. The ${applyCommand} records the configured values ${isSent ? "and may send them with the other changes" : "and sends nothing"}; compare them with the object yourself.`,
  },
  "deletes-renamed": {
    title: "{object} is deleted at one address and created at another",
    detail: ({ described }) =>
      `${described}: the plan deletes the object, and creates another one of its name. If only the address was renamed, keep the object with moved { from = OLD_ADDRESS, to = NEW_ADDRESS }.`,
  },
  "deletes-nothing": { title: "{object} will not be deleted", detail: ofObject },
  "needs-password": { title: "Deleting {object} requires a one-time password", detail: ofObject },
};

/** All codes. */
export const warningCodes = Object.keys(warningTexts) as readonly WarningCode[];

/**
 * Returns a warning with its text. `object` is the object in the title: `the volume "data"`. The detail starts in lower
 * case if it starts with the object.
 */
export function explainWarning(warning: Warning, object: string): ExplainedWarning {
  const { title, detail } = warningTexts[warning.code] as WarningText<Warning>;
  const summary =
    typeof title === "string" ? title.replace("{object}", () => object) : title(warning, object);
  const advice = remedyText(remediesOf(warning.remedies ?? []));
  return {
    warning,
    summary: capitalized(summary),
    detail: advice === "" ? detail(warning) : wording`${detail(warning)} ${advice}.`,
  };
}
