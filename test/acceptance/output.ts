/** Results in the output of the acceptance harness. */

/** Result of a case. */
export interface Result {
  readonly passed: boolean;
  /** Output of the harness. */
  readonly output: string;
  /** Plans of the imports by block. */
  readonly imports: readonly ShownImport[];
}

/** Plan of an import by block, as `shownImport` in `harness/check_test.go`. */
export interface ShownImport {
  readonly address: string;
  readonly kind: "id" | "identity";
  readonly action: string;
  readonly changed: readonly string[];
}

/** Returns the results in the output of a Go test binary with `-test.v`, by the names of the subtests. */
export function resultsOf(output: string): ReadonlyMap<string, Result> {
  const lines = new Map<string, string[]>();
  const passed = new Set<string>();
  let current = "";
  for (const line of output.split("\n")) {
    const [, name] = /^=== (?:RUN|PAUSE|CONT|NAME) +TestCase\/(\S+)/.exec(line) ?? [];
    const [, outcome, ended] = /^ *--- (PASS|FAIL|SKIP): TestCase\/(\S+)/.exec(line) ?? [];
    current = name ?? ended ?? current;
    if (current !== "" && !lines.has(current)) lines.set(current, []);
    if (outcome === "PASS") passed.add(current);
    if (name === undefined && ended === undefined) lines.get(current)?.push(line);
  }
  return new Map(
    [...lines].map(([name, shown]) => [
      name,
      {
        passed: passed.has(name),
        output: shown.join("\n"),
        imports: shown.flatMap((line) => {
          const [, row] = /: import (\{.*\})$/.exec(line) ?? [];
          return row === undefined ? [] : (JSON.parse(row) as ShownImport);
        }),
      },
    ]),
  );
}
