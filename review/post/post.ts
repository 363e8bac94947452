import { createHash } from "node:crypto";
import type { Ports } from "../../provider/platform/ports.ts";
import { applyFindings } from "../render/applied.ts";
import type { SymbolStyle } from "../render/symbol.ts";
import type { Report } from "../report/report.ts";
import { onOneLine } from "../report/value.ts";
import { HostError } from "./client.ts";
import {
  type CommentState,
  commentOf,
  hasMarker,
  isOfApply,
  isSameText,
  markerOf,
  stateIn,
} from "./comment.ts";
import type { ChangeRequest, Comment, Host, Status } from "./host.ts";
import type { Target } from "./target.ts";

/**
 * Posts a report: one comment for each request and stack, a status of the reviewed revision, and labels. Hosts cannot replace a
 * comment only if it is unchanged, so each write is followed by a reading, until a reading shows what should be there. A job
 * whose revision is no longer the head writes the comment that the newer job stored with its status.
 *
 * A report after the apply takes the place of that of the review, in requests of any state. A job of a review never replaces it: it
 * writes the comment that the job of the apply stored with its status, of the head or of the commit that the merge made.
 */

export interface PostOptions {
  readonly stack: string;
  readonly reportUrl: string | undefined;
  readonly symbols: SymbolStyle;
  readonly setsLabels: boolean;
  readonly isDryRun: boolean;
}

/** Error for a report that was not posted completely. */
export class NotPostedError extends Error {}

/** Maximum number of writes of the comment. */
const mostRounds = 6;

/** Posts a report. Returns a line for each thing that was done. Throws `NotPostedError`. */
export async function post(
  report: Report,
  { target, options, ports }: { target: Target; options: PostOptions; ports: Pick<Ports, "clock"> },
): Promise<string[]> {
  const { host, revision } = target;
  const lines: string[] = [];
  const missing = new Set<number>();
  let request: ChangeRequest | undefined;
  try {
    request = await host.request();
    const { applied } = report;
    if (request.state !== "open" && applied === undefined)
      return [`The request is ${request.state}: nothing is posted.`];
    const account = await host.account();
    const name = statusName(applied === undefined ? reviewPrefix : applyPrefix, options.stack);
    const text = (newerHead: string | undefined, previous: CommentState | undefined) =>
      commentOf(report, { ...options, revision, budget: host.budget, newerHead }, previous).body;
    let comments = await host.comments();
    const [first] = oursIn(comments, account, options.stack);
    const isRepeated = first !== undefined && stateIn(first.body)?.revision === revision;
    if (request.head === revision || applied !== undefined) {
      const status = statusOf(report, {
        name,
        revision,
        url: options.reportUrl,
        comment: text(undefined, first && stateIn(first.body)),
      });
      lines.push(`Set the ${await host.setStatus(status)} ${JSON.stringify(name)} of ${revision}.`);
      // Another job may have written the comment while the status was set.
      if (applied === undefined) request = await host.request();
      if (request.head !== revision || request.state !== "open") comments = await host.comments();
    } else
      lines.push(`The report is outdated: the head is ${request.head}, not ${revision}. No status is set.`);
    let isCreated = false;
    for (let round = 1; ; round++) {
      const ours = oursIn(comments, account, options.stack);
      const wanted =
        applied === undefined
          ? await wantedText({
              ...{ host, name, account, request, revision, isRepeated, text },
              stack: options.stack,
              first: ours[0],
            })
          : text(undefined, ours[0] && stateIn(ours[0].body));
      if (wanted === undefined && ours.length === 0) break;
      // The list may not have a new comment yet: another one would be a copy.
      const isLate: boolean = isCreated && ours.length === 0;
      if (isLate) requireOwn(comments, account, wanted);
      const change: string | undefined = isLate ? "" : await write({ host, missing }, ours, wanted);
      isCreated ||= ours.length === 0 && !!change;
      if (change) lines.push(change);
      if (change === undefined || options.isDryRun) break;
      if (round === mostRounds)
        throw new HostError("other jobs or people change the comment again and again. Run this again later.");
      if (round > 1) await ports.clock.sleep(round * 500);
      // In this order: a job that begins after the reading of the head reads the comments after this write.
      comments = await host.comments();
      request = await host.request();
    }
    if (options.setsLabels) {
      const [first] = oursIn(comments, account, options.stack);
      const code =
        applied?.review.code ??
        (request.head === revision ? report.verdict.code : first && reviewCodeIn(first.body));
      const wanted = worstVerdict(comments, { account, stack: options.stack, code });
      const line = await label(host, request, wanted);
      if (line !== undefined) lines.push(line);
    }
    return lines;
  } catch (error) {
    if (!(error instanceof HostError)) throw error;
    const done = lines.length === 0 ? "" : ` Done before: ${lines.join(" ")}`;
    throw new NotPostedError(`${error.message}${hint(error, target, request)}${done}`);
  }
}

/** Maximum length of the name of a stack in that of a status, in characters. */
const longestName = 80;

/** Beginnings of the names of statuses. */
const [reviewPrefix, applyPrefix] = ["kcloud review", "kcloud apply"];

/** Returns the name of the status of a stack; other stacks have other names. */
function statusName(prefix: string, stack: string): string {
  const shown = onOneLine(stack);
  if (shown.length <= longestName) return `${prefix}: ${shown}`;
  const digest = createHash("sha256").update(stack).digest("hex").slice(0, 8);
  return `${prefix}: ${shown.slice(0, longestName).toWellFormed()}… (${digest})`;
}

/** Returns the comments of this account for a stack, the oldest first. */
const oursIn = (comments: readonly Comment[], account: string, stack: string): Comment[] =>
  comments
    .filter(({ author, body }) => author === account && body.startsWith(markerOf(stack)))
    .toSorted((a, b) => a.id - b.id);

/** Throws `HostError` if a comment with this text is that of another account, whose comments are not ours. */
function requireOwn(comments: readonly Comment[], account: string, text: string | undefined): void {
  const other = comments.find(({ body }) => isSameText(body, text ?? ""));
  if (other === undefined) return;
  throw new HostError(
    `the author of the new comment is ${JSON.stringify(other.author)}, and the account of the token is ${JSON.stringify(account)}: later reports would not find it.`,
  );
}

function statusOf(
  report: Report,
  { name, revision, url, comment }: Pick<Status, "name" | "revision" | "url" | "comment">,
): Status {
  return {
    name,
    revision,
    url,
    comment,
    hasPassed: report.verdict.code === 0,
    line: report.verdict.line,
    // The findings of the review are annotations of the reviewed revision.
    annotations: (report.applied === undefined
      ? report.findings
      : applyFindings(report, report.applied)
    ).flatMap(({ source, severity, rule, title, text, remedy, waiver }) =>
      source === undefined || waiver !== undefined || !isPlace(source)
        ? []
        : [{ ...source, severity, title: `${rule} ${title}`, text: `${text} ${remedy}` }],
    ),
  };
}

/** Returns true for a line of a file in the repository: the job that wrote the report may have run code of the request. */
const isPlace = ({ file, line }: { readonly file: string; readonly line: number }): boolean =>
  Number.isInteger(line) && line > 0 && file !== "" && !/^[/\\]|(^|[/\\])\.\.([/\\]|$)/.test(file);

/** Returns the text that the comment of a review should have; undefined for the text that it has. */
async function wantedText({
  host,
  name,
  stack,
  account,
  request: { head, state: openness, mergeRevision },
  revision,
  isRepeated,
  first,
  text,
}: {
  readonly host: Host;
  readonly stack: string;
  readonly name: string;
  readonly account: string;
  readonly request: ChangeRequest;
  readonly revision: string;
  /** True if the comment had a report of this revision when the job began. */
  readonly isRepeated: boolean;
  readonly first: Comment | undefined;
  readonly text: (newerHead: string | undefined, previous: CommentState | undefined) => string;
}): Promise<string | undefined> {
  const state = first && stateIn(first.body);
  const stored = async (at: string, status: string): Promise<string | undefined> => {
    const body = await host.storedComment(at, status, account);
    return body?.startsWith(markerOf(stack)) && stateIn(body)?.revision === at ? body : undefined;
  };
  const apply = statusName(applyPrefix, stack);
  // The request was merged while this job posted.
  if (openness !== "open")
    return isOfApply(state) || mergeRevision === undefined ? undefined : stored(mergeRevision, apply);
  if (isOfApply(state) && state?.revision === head) return undefined;
  // A revision is applied after its review: only a review that is repeated can be later.
  const applied = isRepeated || head !== revision ? await stored(head, apply) : undefined;
  if (applied !== undefined) return applied;
  if (head === revision) return text(undefined, state);
  if (state?.revision === head) return undefined;
  return (await stored(head, name)) ?? text(head, state);
}

/**
 * Writes the first comment, and deletes the others. Returns a line about it; undefined if nothing is to do. `missing` collects
 * the comments that were deleted since they were listed.
 */
async function write(
  { host, missing }: { readonly host: Host; readonly missing: Set<number> },
  [first, ...others]: readonly Comment[],
  wanted: string | undefined,
): Promise<string | undefined> {
  const isSame = first !== undefined && (wanted === undefined || isSameText(first.body, wanted));
  if (isSame && others.length === 0) return undefined;
  const attempt = async (id: number | undefined, run: () => Promise<void>): Promise<boolean> => {
    try {
      await run();
      return true;
    } catch (error) {
      if (!(error instanceof HostError)) throw error;
      const isDeleted = error.status === 404 && id !== undefined && !missing.has(id);
      if (isDeleted) missing.add(id);
      // The next reading shows the effect of a request whose response is lost.
      if (!isDeleted && !error.isAmbiguous) throw error;
      return false;
    }
  };
  if (first === undefined)
    return (await attempt(undefined, () => host.create(wanted ?? ""))) ? "Created the comment." : "";
  if (!isSame && !(await attempt(first.id, () => host.update(first.id, wanted ?? "")))) return "";
  for (const { id } of others) await attempt(id, () => host.remove(id));
  return others.length === 0
    ? "Updated the comment."
    : `Kept the oldest of ${others.length + 1} comments, and deleted the others.`;
}

/** Returns the exit code of the review of a comment; undefined if the comment cannot be read. */
function reviewCodeIn(body: string): number | undefined {
  const state = stateIn(body);
  return state?.reviewCode ?? state?.code;
}

/** Labels of verdicts, the worst last. */
const labels = ["kcloud: passed", "kcloud: blocked", "kcloud: not reviewable"] as const;

/** Returns the label of the worst of the verdict of a stack and those of the other stacks of the request. */
function worstVerdict(
  comments: readonly Comment[],
  {
    account,
    stack,
    code,
  }: { readonly account: string; readonly stack: string; readonly code: number | undefined },
): (typeof labels)[number] {
  const others = comments
    .filter(({ author, body }) => author === account && hasMarker(body) && !body.startsWith(markerOf(stack)))
    .map(({ body }) => reviewCodeIn(body));
  // A comment that cannot be read counts as the worst.
  const ranks = [code, ...others].map((one) => (one === 0 ? 0 : one === 3 ? 1 : 2));
  return labels[Math.max(...ranks)] ?? labels[2];
}

async function label(
  host: Host,
  { labels: present }: ChangeRequest,
  wanted: string,
): Promise<string | undefined> {
  const removed = labels.filter((one) => one !== wanted && present.includes(one));
  const added = present.includes(wanted) ? [] : [wanted];
  if (added.length + removed.length === 0) return undefined;
  await host.changeLabels({ added, removed });
  return `Set the label ${JSON.stringify(wanted)}.`;
}

/** Returns what a user can do about an error, as sentences that begin with a space. */
function hint(
  { status }: HostError,
  { variable, permissions }: Target,
  request: ChangeRequest | undefined,
): string {
  if (status === 401)
    return ` ${variable} is not a valid token of this host, has expired, or cannot be used here: it needs ${permissions}.`;
  if (status === 403 && request?.isFork)
    return " The request is of a fork, whose jobs get a token that can only read: post from a job of the target repository.";
  if (status === 403 && request?.isLocked)
    return ` The conversation is locked: only an account with write access can comment. ${variable} needs ${permissions}.`;
  if (status === 403) return ` ${variable} needs ${permissions}.`;
  if (status === 404)
    return ` The repository or the request does not exist, or ${variable} may not read it: it needs ${permissions}.`;
  return "";
}
