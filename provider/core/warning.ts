import type { Explanation } from "./error.ts";
import { type GivenRemedy, remediesOf, remedyText } from "./remedy.ts";
import { applyCommand, assignment, attribute, engineNames, perEngine } from "./wording.ts";

/** Warnings of the engine. Each has a code, and only this file converts it to text. */

/** Object of a warning: `the volume "data"`. */
interface Subject {
  readonly subject: string;
}

/** Object of a warning, and its id. */
interface Identified extends Subject {
  readonly id: string;
}

/** Parameters of each code. */
interface Parameters {
  // Creates.
  readonly adopted: Identified;
  readonly "found-by-search": Identified;
  readonly "sent-again": Subject & { readonly status: number | undefined; readonly seconds: number };
  readonly "may-exist": Subject & { readonly why: string };
  readonly "started-unknown": Identified & { readonly why: string };
  readonly "started-failed": Identified & { readonly status: string };
  readonly "started-not-ready": Identified & {
    readonly status: string;
    readonly wanted: string;
    readonly why: string;
  };
  // Reads.
  readonly "task-without-id": Subject & { readonly seconds: number; readonly task: string };
  readonly "not-shown-yet": Identified & { readonly seconds: number; readonly by: "a listing" | "the API" };
  readonly "drift-invisible": Identified;
  readonly gone: Identified & {
    readonly misses: number;
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
  readonly "kept-adopted": Identified;
  readonly "kept-managed": Identified;
  readonly undeletable: Identified & { readonly reason: string };
  readonly "not-found": Identified;
}

export type WarningCode = keyof Parameters;

/** Warning, with the remedies that follow its text. */
export type Warning = {
  [C in WarningCode]: { readonly code: C; readonly remedies?: readonly GivenRemedy[] } & Parameters[C];
}[WarningCode];

/** Warning and its text. */
export interface ExplainedWarning extends Explanation {
  readonly warning: Warning;
}

interface Text<P> {
  readonly summary: string;
  readonly detail: (parameters: P) => string;
}

const providerBlock = perEngine({ terraform: "provider block", pulumi: "explicit provider" });

const names = (fields: readonly string[]): string => fields.map(attribute).join(", ");

const texts: { readonly [C in WarningCode]: Text<Parameters[C]> } = {
  adopted: {
    summary: "An existing object was adopted",
    detail: ({ subject, id }) =>
      `${subject} existed as ${id} and is managed by this resource now. No other resource, ${providerBlock} or state may manage it: a destroy of either deletes it.`,
  },
  "found-by-search": {
    summary: "The created object was found by search",
    detail: ({ subject, id }) =>
      `The API gave no clear response to the create of ${subject}. A search found ${id}, which is recorded as the created object.`,
  },
  "sent-again": {
    summary: "A create was sent again",
    detail: ({ subject, status, seconds }) =>
      `The API returned ${status} for the create of ${subject}. A listing ${seconds} s later did not show it, so the create was sent again. If two objects with this name appear later, one of them is a duplicate.`,
  },
  "may-exist": {
    summary: "An object may exist",
    detail: ({ subject, why }) =>
      `The create of ${subject} was interrupted: ${why}. The object is no longer in the state.`,
  },
  "started-unknown": {
    summary: "The status of a new object is unknown",
    detail: ({ subject, id, why }) =>
      `The API accepted the create of ${subject} (${id}), which is in the state, but its status could not be read: ${why}. A refresh reads it.`,
  },
  "started-failed": {
    summary: "A new object has a failed status",
    detail: ({ subject, id, status }) =>
      `The API reports the status of ${subject} (${id}) as ${status}. It stays in the state: changing its inputs or removing the resource cancels it.`,
  },
  "started-not-ready": {
    summary: "A new object is not ready yet",
    detail: ({ subject, id, status, wanted, why }) =>
      `The last status of ${subject} (${id}) was ${status}, not ${wanted}: ${why}. It stays in the state.`,
  },
  "task-without-id": {
    summary: "An object may exist",
    detail: ({ subject, seconds, task }) =>
      `${subject} was created less than ${seconds} s ago. Its task ${task} shows no ID yet, nor does a listing show it. It stays in the state. A refresh after that time records its ID or removes it.`,
  },
  "not-shown-yet": {
    summary: "An object is not shown yet",
    detail: ({ subject, id, seconds, by }) =>
      `${subject} (${id}) was created less than ${seconds} s ago, and ${by} may not show it yet. It stays in the state. If it was deleted outside of ${engineNames}, a refresh after that time removes it.`,
  },
  "drift-invisible": {
    summary: "Drift cannot be detected",
    detail: ({ subject, id }) =>
      `The API does not show ${subject} (${id}), nor other objects of its kind. The state stays unchanged.`,
  },
  gone: {
    summary: `An object was deleted outside of ${engineNames}`,
    detail: ({ subject, id, misses, billed, canKeep, hasSecret }) =>
      [
        `${subject} (${id}) no longer exists: ${misses} reads did not find it.`,
        `The next ${applyCommand} creates it again.`,
        ...(billed === "" ? [] : [billed]),
        ...(canKeep ? [`To keep it in the state, set ${assignment("keepWhenGone", true)} before that.`] : []),
        ...(hasSecret ? ["Its secret is lost: an import does not restore it."] : []),
      ].join(" "),
  },
  "never-created": {
    summary: "An object was not created",
    detail: ({ subject, task }) =>
      `The task ${task} ended without creating ${subject}. The next ${applyCommand} creates it.`,
  },
  "created-unseen": {
    summary: "A created object was not found",
    detail: ({ subject, task }) =>
      `The task ${task} created ${subject} without returning its ID, and no listing shows an object with this name: it was renamed or deleted outside of ${engineNames}. It is no longer in the state. If it has another name now, delete it in the cloud's console.`,
  },
  "gone-kept": {
    summary: "An object no longer exists and stays in the state",
    detail: ({ subject, id, misses }) =>
      `${misses} reads did not find ${subject} (${id}). It stays in the state, as ${assignment("keepWhenGone", true)} is set.`,
  },
  "shown-nowhere": {
    summary: "The API no longer shows an object",
    detail: ({ subject, id }) =>
      `${subject} (${id}) was detached or deleted outside of ${engineNames}. The next ${applyCommand} deletes what remains of it and creates it again.`,
  },
  "incomplete-kept": {
    summary: "A response was incomplete",
    detail: ({ subject, missing }) =>
      `The API did not return ${names(missing)} of ${subject}. The state keeps the recorded value.`,
  },
  "incomplete-assumed": {
    summary: "A response was incomplete",
    detail: ({ subject, missing }) =>
      `The API did not return ${names(missing)} of ${subject}. The configured or default value is recorded; the object may have another one.`,
  },
  "change-unconfirmed": {
    summary: "A change was not confirmed",
    detail: ({ subject, field }) =>
      `The API gave no clear response to the change of ${attribute(field)} of ${subject}. It is recorded as done and is not sent again. If it was not done, change ${attribute(field)} again.`,
  },
  "kept-adopted": {
    summary: "The object was not deleted",
    detail: ({ subject, id }) =>
      `Another resource adopted ${subject} (${id}) in this run (${assignment("adoptExisting", true)}), so it was not deleted. To replace it, give the new one another name.`,
  },
  "kept-managed": {
    summary: "The object was not deleted",
    detail: ({ subject, id }) =>
      `Another entry of the state has ${subject} (${id}), so it was not deleted. Only this entry left the state.`,
  },
  undeletable: {
    summary: "Nothing was deleted",
    detail: ({ subject, id, reason }) => `${reason} Nothing manages ${subject} (${id}) any more.`,
  },
  "not-found": {
    summary: "Nothing was found to delete",
    detail: ({ subject, id }) => `${subject} (${id}) was not found, and no listing shows it.`,
  },
};

/** All codes. */
export const warningCodes = Object.keys(texts) as readonly WarningCode[];

/** Returns the text of a warning. The detail starts in lower case if it starts with the object. */
export function explainWarning(warning: Warning): Explanation {
  const { summary, detail } = texts[warning.code] as Text<Warning>;
  const advice = remedyText(remediesOf(warning.remedies ?? []));
  return { summary, detail: `${detail(warning)}${advice === "" ? "" : ` ${advice}.`}` };
}
