import { expect, test } from "@jest/globals";
import { isSupportedNode, oldestNode } from "../../provider/platform/runtime.ts";
import { files, text } from "./repository.ts";

/** Tests that every file names the same oldest supported version of Node. */

interface Manifest {
  readonly engines?: { readonly node?: string };
  readonly dependencies: Readonly<Record<string, string>>;
}

const manifest = (path: string): Manifest => JSON.parse(text(path));
const { engines, dependencies } = manifest("package.json");

test("the package requires the newest of the versions that its dependencies require", () => {
  const required = Object.keys(dependencies).map((name) => {
    const { engines = {} } = manifest(`node_modules/${name}/package.json`);
    return (engines.node ?? "0").match(/\d+/g)?.map(Number) ?? [];
  });
  const [[major, minor = 0, patch = 0] = []] = required.toSorted(
    ([a = 0, b = 0, c = 0], [d = 0, e = 0, f = 0]) => d - a || e - b || f - c,
  );
  expect(engines?.node).toBe(`>=${major}.${minor}.${patch}`);
  const lock = JSON.parse(text("package-lock.json")) as { packages: { "": Manifest } };
  expect(lock.packages[""].engines).toEqual(engines);
});

test("the programs start on the version that the package requires, and name it", () => {
  expect(engines?.node).toBe(`>=${oldestNode}.0`);
  const versions = ["22.18.9", "20.20.2", "9.99.0", `${oldestNode}.0`, "22.20.0", "24.0.0"];
  expect(versions.filter(isSupportedNode)).toEqual(versions.slice(3));
});

test("every page names the version with its minor number", () => {
  const wrong = files
    .filter((file) => /^(README|CONTRIBUTING)\.md$|^docs\/.*\.md$/.test(file))
    .flatMap((file) =>
      [...text(file).matchAll(/Node 22(?!\.19)\b.*/g)].map(([found]) => `${file}: ${found}`),
    );
  expect(wrong).toEqual([]);
});
