/** Error for an input that cannot be read: invalid or truncated JSON, or another kind of file. Exit code 1. */
export class UnreadableError extends Error {}

/** Error for an input that can be read but not reviewed. Exit code 4. */
export class NotReviewableError extends Error {}
