/**
 * Redirects standard output to standard error, which engines read as a log. Must be loaded before any code that could
 * print: the first line on standard output must be the handshake.
 */
Object.defineProperty(process, "stdout", { configurable: true, get: () => process.stderr });
