/** Exit codes of `kcloud call`, which scripts may rely on. Codes after a signal are 128 and its number. */
export const exitCodes = {
  done: 0,
  /** An error of this machine, the settings or the connection, or a read without a response: nothing was changed. */
  failed: 1,
  /** An invalid command line or invalid parameters: nothing was sent. */
  usage: 2,
  /** The API refused the request: nothing was changed. */
  refused: 3,
  /** The request of a change was sent, and its result is not known; or the change was executed, and its response could not be written, or its wait failed. */
  unclear: 4,
  notFound: 5,
  /** The call was not confirmed: nothing was sent. */
  unconfirmed: 6,
} as const;
