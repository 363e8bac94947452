/**
 * Signals of a plugin process that its engine survives: the engine handles them itself, ignores them, or inherited that they
 * are ignored, as SIGHUP from `nohup`. Node resets ignored signals at its start, so that each of them would end the plugin
 * and lose the objects of its requests in flight; SIGUSR1 would open Node's inspector. While the engine runs, it alone
 * decides; when it has ended, the plugin ends by itself. SIGTERM is not listed: it always ends a plugin.
 */
const ofEngine = [
  "SIGHUP",
  "SIGINT",
  "SIGQUIT",
  "SIGUSR1",
  "SIGUSR2",
  "SIGALRM",
  "SIGXCPU",
] as const satisfies readonly NodeJS.Signals[];

/** Calls `handle` for each signal of `ofEngine`, in place of the default action. */
export function handleEngineSignals(handle: (signal: NodeJS.Signals) => void): void {
  for (const signal of ofEngine) process.on(signal, handle);
}

/** Returns true for a signal with which a terminal or a user ends a process that no engine started. */
export const isEnd = (signal: NodeJS.Signals): boolean =>
  signal === "SIGHUP" || signal === "SIGINT" || signal === "SIGQUIT";
