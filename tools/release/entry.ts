/** Files of an archive. */

/** File of an archive. */
export interface Entry {
  /** Path with slashes. */
  readonly name: string;
  readonly data: Buffer;
  /** Permissions. */
  readonly mode: 0o644 | 0o755;
}

/** Time of every file in every archive: that of `npm pack`, so that two releases have equal bytes. */
export const epoch = new Date("1985-10-26T08:15:00Z");
