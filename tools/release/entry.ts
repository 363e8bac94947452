/** Types of the files of an archive. */

/** File of an archive. */
export interface Entry {
  /** Path with slashes. */
  readonly name: string;
  readonly data: Buffer;
  /** Permissions. */
  readonly mode: 0o644 | 0o755;
}

/** Time of every file in every archive, fixed so that two releases have equal bytes; the same as in `npm pack`. */
export const epoch = new Date("1985-10-26T08:15:00Z");
