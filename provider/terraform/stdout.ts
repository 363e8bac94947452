/**
 * Loaded before anything that could print: until an engine has read the handshake line, standard output is for
 * that line alone. Whatever else is written goes to standard error, where engines take it as a log.
 */
Object.defineProperty(process, "stdout", { configurable: true, get: () => process.stderr });
