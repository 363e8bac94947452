/**
 * Returns true if SIGHUP must not end this process. `nohup` asks for that, but Node resets ignored signals at its start. It
 * leaves neither standard input nor standard output at a terminal.
 */
export const ignoresHangUp = (): boolean => !process.stdin.isTTY && !process.stdout.isTTY;

/**
 * Returns the command line that runs a command with SIGHUP ignored. A child process would start with the default action,
 * since Node resets the signals of its children too.
 */
export const withoutHangUp = (command: readonly string[]): readonly string[] => [
  "/bin/sh",
  "-c",
  'trap "" HUP; exec "$@"',
  "sh",
  ...command,
];
