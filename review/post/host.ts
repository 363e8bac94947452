import { HostError } from "./client.ts";

/** Hosts of pull requests and merge requests, as `kcloud review post` uses them. */

/** Pull request of GitHub, or merge request of GitLab. */
export interface ChangeRequest {
  /** Revision of the last commit, in hex. */
  readonly head: string;
  readonly state: "open" | "closed" | "merged";
  /** True if only people with write access can comment. */
  readonly isLocked: boolean;
  /** True if the commits are in another repository than the target branch. */
  readonly isFork: boolean;
  readonly labels: readonly string[];
  /** Commit in the target branch; undefined unless the request is merged, and the host shows it. */
  readonly mergeRevision: string | undefined;
}

/** Number of a request, or a revision of the target branch, with which the merged request is looked for. */
export type RequestKey = { readonly number: number } | { readonly mergedBy: string };

/** Merged request of a revision. */
export interface Candidate {
  readonly number: number;
  /** True if the revision is the one that the merge made. */
  readonly isMerge: boolean;
}

/** Returns the number of the only merged request of a revision. Throws `HostError`. */
export function onlyRequest(candidates: readonly Candidate[], revision: string, noun: string): number {
  const merges = candidates.filter(({ isMerge }) => isMerge);
  const [first, second] = merges.length > 0 ? merges : candidates;
  if (first === undefined || second !== undefined)
    throw new HostError(
      `${first === undefined ? `No merged ${noun} has` : `Several merged ${noun}s have`} the revision ${revision}: set --request NUMBER.`,
    );
  return first.number;
}

/** Returns a function that calls `make` once. */
export function once<T>(make: () => T): () => T {
  let result: { readonly value: T } | undefined;
  return () => {
    result ??= { value: make() };
    return result.value;
  };
}

export interface Comment {
  /** Increases with the time of creation. */
  readonly id: number;
  /** Name of the account. */
  readonly author: string;
  readonly body: string;
}

/** Finding with a place in the repository, without markup. */
export interface Annotation {
  readonly file: string;
  readonly line: number;
  readonly severity: "critical" | "high" | "medium" | "low";
  readonly title: string;
  readonly text: string;
}

/** Status or check of a revision. */
export interface Status {
  readonly revision: string;
  /** Name of the status, which contains that of the stack. */
  readonly name: string;
  readonly hasPassed: boolean;
  /** Verdict in one line, without markup. */
  readonly line: string;
  readonly annotations: readonly Annotation[];
  /** Full text of the comment, which a host may store with the status. */
  readonly comment: string;
  readonly url: string | undefined;
}

export interface Host {
  /** Maximum size of a comment in bytes, with a reserve. */
  readonly budget: number;
  /** Returns the name of the account of the token. */
  account(): Promise<string>;
  request(): Promise<ChangeRequest>;
  /** Returns all comments, those of other accounts too. */
  comments(): Promise<readonly Comment[]>;
  create(body: string): Promise<void>;
  update(id: number, body: string): Promise<void>;
  remove(id: number): Promise<void>;
  /** Sets the status of a revision. Returns the noun of the host for it. */
  setStatus(status: Status): Promise<string>;
  /** Returns the comment that this account stored with the status of a revision; undefined if there is none. */
  storedComment(revision: string, name: string, account: string): Promise<string | undefined>;
  changeLabels(labels: {
    readonly added: readonly string[];
    readonly removed: readonly string[];
  }): Promise<void>;
}
