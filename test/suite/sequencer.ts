import { statSync } from "node:fs";
import { join, relative } from "node:path";
import { executableSuites, longSweeps, sweeps } from "./sweep.ts";

const root = join(import.meta.dirname, "../..");

/** Test file, as jest passes it. */
interface TestFile {
  readonly path: string;
}

/** Order of the suites, which jest uses in place of its own: the lists of long suites, then the largest files. */
export default class Sequencer {
  sort(files: readonly TestFile[]): TestFile[] {
    const long = [...sweeps, ...longSweeps, ...executableSuites];
    const rank = ({ path }: TestFile): number => {
      const nth = long.indexOf(relative(root, path));
      return nth < 0 ? long.length : nth;
    };
    const size = new Map(files.map((file) => [file, statSync(file.path).size]));
    return files.toSorted((a, b) => rank(a) - rank(b) || (size.get(b) ?? 0) - (size.get(a) ?? 0));
  }

  cacheResults(): void {}
}
