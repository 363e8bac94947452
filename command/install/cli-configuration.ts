import { constants, copyFileSync, existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { terraformSource } from "../../provider/core/name.ts";
import { CommandError } from "../run.ts";

/** Edits the CLI configuration of Terraform and OpenTofu so that it names the mirror. */

const pattern = `${dirname(terraformSource)}/*`;
const mark = "# Written by `kcloud install terraform`.";

/** Returns the configuration block that makes engines install this provider, and no other, from this mirror. */
export const installationBlock = (mirror: string): string => `provider_installation {
  filesystem_mirror {
    path    = ${JSON.stringify(mirror)}
    include = ["${pattern}"]
  }
  direct {
    exclude = ["${pattern}"]
  }
}
`;

/** Home folder and environment of the user. */
export interface Home {
  readonly environment: NodeJS.ProcessEnv;
  readonly folder: string;
  readonly isWindows: boolean;
}

/** File that `TF_CLI_CONFIG_FILE` or its older name selects; undefined if neither is set. */
const selectedFile = ({ TF_CLI_CONFIG_FILE, TERRAFORM_CONFIG }: NodeJS.ProcessEnv): string | undefined =>
  TF_CLI_CONFIG_FILE || TERRAFORM_CONFIG || undefined;

/** Returns the file of Terraform and that of OpenTofu in the folder of the user. */
const userFiles = ({ environment, folder, isWindows }: Home): readonly [string, string] =>
  isWindows
    ? [join(environment.APPDATA || folder, "terraform.rc"), join(environment.APPDATA || folder, "tofu.rc")]
    : [join(folder, ".terraformrc"), join(folder, ".tofurc")];

/**
 * Returns the files that need the block: the file of the environment, else `~/.terraformrc`, and `~/.tofurc` if it exists,
 * because OpenTofu then reads only that file. Throws `CommandError` if a new file would make OpenTofu ignore an existing one.
 */
export function configurationFiles({ environment, folder, isWindows }: Home): readonly string[] {
  const selected = selectedFile(environment);
  if (selected !== undefined) return [selected];
  const [terraform, tofu] = userFiles({ environment, folder, isWindows });
  if (existsSync(tofu)) return [terraform, tofu];
  const { XDG_CONFIG_HOME } = environment;
  const shared = XDG_CONFIG_HOME && join(XDG_CONFIG_HOME, "opentofu", "tofurc");
  if (shared && !isWindows && !existsSync(terraform) && existsSync(shared))
    throw new CommandError(
      `OpenTofu would no longer read ${shared} once ${terraform} exists: set TF_CLI_CONFIG_FILE=${shared} for both engines, then run again`,
    );
  return [terraform];
}

/** Returns the other files that engines read together with `~/.terraformrc`. */
function fragments({ environment, folder, isWindows }: Home): string[] {
  if (selectedFile(environment) !== undefined) return [];
  const path = isWindows ? join(environment.APPDATA || folder, "terraform.d") : join(folder, ".terraform.d");
  if (!existsSync(path)) return [];
  return readdirSync(path)
    .filter((name) => /\.tfrc(\.json)?$/.test(name))
    .map((name) => join(path, name));
}

/** Returns the folders of the mirrors in the configurations of all engines. */
export function configuredMirrors(home: Home): string[] {
  const { XDG_CONFIG_HOME } = home.environment;
  const selected = selectedFile(home.environment);
  const files =
    selected === undefined
      ? [
          ...userFiles(home),
          ...(XDG_CONFIG_HOME ? [join(XDG_CONFIG_HOME, "opentofu", "tofurc")] : []),
          ...fragments(home),
        ]
      : [selected];
  const mirrors = files.flatMap((file) =>
    [...textOf(file).matchAll(/\bfilesystem_mirror\s*\{[^}]*?\bpath\s*=\s*("(?:\\.|[^"\\])*")/g)].map(
      ([, path = ""]) => unquoted(path),
    ),
  );
  return [...new Set(mirrors)];
}

/** Decodes a quoted text; returns it unchanged if its escapes are not valid JSON. */
function unquoted(text: string): string {
  try {
    return JSON.parse(text);
  } catch {
    return text.slice(1, -1);
  }
}

const textOf = (file: string): string => (existsSync(file) ? readFileSync(file, "utf8") : "");

/** Matches a block that an earlier run wrote. */
const writtenBlock = new RegExp(
  `^${mark}\\n${installationBlock("PATH")
    .replaceAll(/[[\]{}*.]/g, "\\$&")
    .replace('"PATH"', '".*"')}`,
  "m",
);

/** Returns true if a text has a `provider_installation` block, outside of comments and strings. */
function hasInstallation(text: string): boolean {
  if (/^\s*\{/.test(text)) return /"provider_installation"\s*:/.test(text);
  const bare = text.replaceAll(/"(?:\\.|[^"\\\n])*"|#.*|\/\/.*|\/\*[\s\S]*?\*\//g, (found) =>
    found.startsWith('"') ? '""' : " ",
  );
  return /\bprovider_installation\b/.test(bare);
}

const hasAnother = (file: string, block: string): CommandError =>
  new CommandError(
    `${file} has a provider_installation block, and engines allow one: add the parts of this block to it, then run again without --write\n\n${block.trimEnd()}`,
  );

/** Returns a configuration with the block added. Throws `CommandError` if it has another block, or is JSON. */
function withBlock(file: string, text: string, block: string): string {
  const written = `${mark}\n${block}`;
  const rest = text.replace(writtenBlock, "");
  if (hasInstallation(rest)) throw hasAnother(file, block);
  if (/^\s*\{/.test(rest))
    throw new CommandError(
      `${file} is JSON: add this block to it in JSON, then run again without --write\n\n${block.trimEnd()}`,
    );
  if (rest !== text) return text.replace(writtenBlock, () => written);
  const gap = text === "" ? "" : text.endsWith("\n") ? "\n" : "\n\n";
  return `${text}${gap}${written}`;
}

/** Copies a file to `FILE.backup`, or `FILE.backup-2` and so on if that exists. Returns the path of the copy. */
function backUp(file: string): string {
  for (let number = 1; ; number += 1) {
    const copy = `${file}.backup${number === 1 ? "" : `-${number}`}`;
    if (existsSync(copy)) continue;
    copyFileSync(file, copy, constants.COPYFILE_EXCL);
    return copy;
  }
}

/**
 * Returns a function that writes the block into each file that needs it and returns a sentence for each. Throws `CommandError`
 * if the block cannot be added to one of them.
 */
export function prepareBlock(home: Home, block: string): () => string[] {
  for (const file of fragments(home)) if (hasInstallation(textOf(file))) throw hasAnother(file, block);
  const drafts = configurationFiles(home).map((file) => {
    const text = textOf(file);
    return { file, text, draft: withBlock(file, text, block) };
  });
  return () =>
    drafts.map(({ file, text, draft }) => {
      if (draft === text) return `${file} has the block already.`;
      const copy = existsSync(file) ? backUp(file) : undefined;
      // Writing in place keeps the mode and a symbolic link.
      writeFileSync(file, draft);
      return copy === undefined
        ? `${file} was created.`
        : `${file} has the block. Backup of the file: ${copy}`;
    });
}
