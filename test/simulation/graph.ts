/** Task that runs after others. */
export interface Node {
  readonly key: string;
  readonly after: readonly string[];
  /** Resolves to false if the task failed: tasks after it are skipped. */
  readonly run: () => Promise<boolean>;
}

/**
 * Runs all tasks in order, at most `parallelism` at once; none starts after `canContinue` returned false. Resolves when no
 * task runs and none can start: true if every task succeeded, false if one failed or did not run. Throws if the order has
 * a cycle.
 */
export async function walk(
  nodes: readonly Node[],
  parallelism: number,
  canContinue: () => boolean,
): Promise<boolean> {
  const left = new Map(nodes.map((node) => [node.key, node]));
  const running = new Map<string, Promise<void>>();
  const failed = new Set<string>();
  const begin = (node: Node) => {
    left.delete(node.key);
    running.set(
      node.key,
      node.run().then((ok) => {
        running.delete(node.key);
        if (!ok) failed.add(node.key);
      }),
    );
  };
  for (;;) {
    for (const node of [...left.values()]) {
      if (running.size >= parallelism || !canContinue()) break;
      if (node.after.some((key) => left.has(key) || running.has(key))) continue;
      if (node.after.some((key) => failed.has(key))) {
        left.delete(node.key);
        failed.add(node.key);
      } else begin(node);
    }
    if (running.size === 0) {
      const stuck = [...left.values()].every(({ after }) => after.some((key) => left.has(key)));
      if (left.size > 0 && canContinue() && stuck)
        throw new Error(`a cycle in ${[...left.keys()].join(", ")}`);
      if (left.size === 0 || !canContinue()) return left.size === 0 && failed.size === 0;
    } else await Promise.race(running.values());
  }
}
