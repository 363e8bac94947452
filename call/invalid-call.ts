/** Invalid options or parameters of a call; the message names them. Nothing was sent. */
export class InvalidCallError extends Error {}
