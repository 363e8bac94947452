/** Input that cannot be read: no JSON, cut, or not of this kind. The command ends with 1. */
export class UnreadableError extends Error {}

/** Input that can be read, but is no plan that can be reviewed. The command ends with 4. */
export class NotReviewableError extends Error {}
