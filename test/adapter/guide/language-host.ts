import { chmod, mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { cacheFolder } from "../../../tools/engines/cache.ts";
import { ensureEngine } from "../../../tools/engines/engine.ts";
import { goEnvironment } from "../../../tools/engines/go.ts";
import { ensurePython } from "../../support/engine/python.ts";

/**
 * Command `pulumi` for programs in Python and Go. A release of Pulumi has one host per language; the pinned ones are two: the host
 * that runs programs is older and generates no SDK, and the generator neither installs dependencies nor knows virtual environments.
 * The command runs each where it applies, and what a host of the release runs for the rest.
 */

/**
 * Writes the command into a new folder, for the head of a PATH that has the hosts of `pulumi-languages`. Returns the environment
 * that the command needs.
 */
export async function writePulumi(folder: string): Promise<Readonly<Record<string, string>>> {
  const pulumi = await ensureEngine("pulumi-yaml");
  const codegen = await ensureEngine("pulumi-codegen");
  const python = await ensurePython();
  const generators = join(folder, "generators");
  await mkdir(generators, { recursive: true });
  for (const language of ["python", "go"])
    await symlink(codegen.path, join(generators, `pulumi-language-${language}`));
  const script = `#!/bin/sh -e
if [ "$1" = install ]; then
  PATH="${generators}:$PATH" "${pulumi.path}" "$@"
  if [ -e requirements.txt ]; then
    "${python}/bin/python" -m venv venv
    venv/bin/python -m pip install --quiet -r requirements.txt
  fi
  if [ -e go.mod ]; then go mod tidy -compat=1.18; fi
  exit
fi
if [ -e venv ]; then export VIRTUAL_ENV="$PWD/venv" PATH="$PWD/venv/bin:$PATH"; fi
exec "${pulumi.path}" "$@"
`;
  await writeFile(join(folder, "pulumi"), script);
  await chmod(join(folder, "pulumi"), 0o755);
  const go = goEnvironment({ cache: cacheFolder(), scratch: folder });
  const names = ["GOPATH", "GOMODCACHE", "GOCACHE", "GOTOOLCHAIN", "GOWORK", "CGO_ENABLED"];
  return {
    ...Object.fromEntries(names.map((name) => [name, go[name] ?? ""])),
    PIP_CACHE_DIR: join(cacheFolder(), "pip"),
    PIP_DISABLE_PIP_VERSION_CHECK: "1",
  };
}
