import { readFileSync } from "node:fs";

const example = (path: string): string =>
  readFileSync(new URL(`../../examples/${path}`, import.meta.url), "utf8");

/** Returns files by their paths in the project, with the content of files of `examples/`. */
const filesOf = (paths: Readonly<Record<string, string>>): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(paths).map(([path, source]) => [path, example(source)]));

/**
 * Returns the files that `kcloud init` writes, by name of the start and path. They are those of `examples/`. The bundler runs this
 * function and replaces it with its result (tools/bundle.ts), since the single executable has no files next to it.
 */
export const constants = () => ({
  terraform: filesOf({ "main.tf": "start/terraform/main.tf" }),
  "pulumi-typescript": filesOf({
    "Pulumi.yaml": "start/pulumi-typescript/Pulumi.yaml",
    "index.mts": "start/pulumi-typescript/index.mts",
  }),
  "pulumi-yaml": filesOf({ "Pulumi.yaml": "start/pulumi-yaml/Pulumi.yaml" }),
  "pulumi-python": filesOf({
    "Pulumi.yaml": "start/pulumi-python/Pulumi.yaml",
    "requirements.txt": "start/pulumi-python/requirements.txt",
    "__main__.py": "start/pulumi-python/__main__.py",
  }),
  "pulumi-go": filesOf({
    "Pulumi.yaml": "start/pulumi-go/Pulumi.yaml",
    "go.mod": "start/pulumi-go/go.mod",
    "main.go": "start/pulumi-go/main.go",
  }),
  cdktf: filesOf({ "main.mts": "start/cdktf/main.mts" }),
  review: filesOf({
    "review/review.sh": "review/review.sh",
    "review/kcloud-review.json": "review/policy/kcloud-review.json",
    "review/rules/volume-size.ts": "review/policy/rules/volume-size.ts",
  }),
  github: filesOf({
    ".github/workflows/review.yml": "review/github/pull-request.yml",
    ".github/workflows/apply.yml": "review/github/apply.yml",
    "review/action/action.yml": "review/github/action/action.yml",
  }),
  gitlab: filesOf({ "review/gitlab-ci.yml": "review/gitlab-ci.yml" }),
});
