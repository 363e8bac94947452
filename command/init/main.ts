import { existsSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import manifest from "../../package.json" with { type: "json" };
import { didYouMean, nearest } from "../../provider/core/string.ts";
import { checkPositionals, parseArguments, UsageError } from "../argument.ts";
import { configuredMirrors } from "../install/cli-configuration.ts";
import { homeOf, type Machine, platformOf, thisMachine } from "../install/machine.ts";
import { install } from "../install/main.ts";
import { folderIn } from "../install/mirror.ts";
import { hasPlugin, homeNotes, pluginFolder } from "../install/pulumi-plugin.ts";
import { CommandError, runCommand } from "../run.ts";
import { constants } from "./constant.ts";
import { requireNoConflict, requireNone, writeNewFiles } from "./file.ts";
import { initCommand, type Language, languages } from "./option.ts";

/** Files of a start, and the commands that come after it. */
interface Start {
  readonly files: Readonly<Record<string, string>>;
  /** Names of files that conflict with the start. */
  readonly conflicts?: RegExp;
  /** Prepares the machine before the files are written. Returns the next commands, and notes above them. */
  next(): { readonly notes?: readonly string[]; readonly commands: readonly string[] };
}

/** Project in which a start is written. */
interface Place {
  readonly folder: string;
  readonly machine: Machine;
}

const npmPackage = manifest.name;

/** Returns the folder in which Node and npx find a library: that of the project, or the nearest one above it. */
function folderWith({ folder }: Place, name: string): string | undefined {
  for (let here = folder; ; here = dirname(here)) {
    if (existsSync(join(here, "node_modules", name, "package.json"))) return here;
    if (here === dirname(here)) return undefined;
  }
}

const isInstalled = (place: Place, name: string): boolean => folderWith(place, name) !== undefined;

/** Returns the start of the command line that runs `kcloud`. */
const kcloudIn = (place: Place): string =>
  place.machine.executable === undefined && isInstalled(place, npmPackage) ? "npx kcloud" : "kcloud";

/** Returns a command that runs against the emulator, whose objects are in a file of the project. */
const onEmulator = (place: Place, command: string): string =>
  `${kcloudIn(place)} emulator --state cloud.json -- ${command}`;

const quoted = (path: string): string =>
  /^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;

/**
 * Makes sure that the provider of this version is in a mirror. Returns the option of `init` that names the mirror, empty if the CLI
 * configuration does.
 */
function mirrorOption(place: Place): { readonly option: string; readonly notes: readonly string[] } {
  const { machine } = place;
  const platform = platformOf(machine);
  const has = (mirror: string) => existsSync(join(folderIn(mirror), manifest.version, platform));
  if (configuredMirrors(homeOf(machine)).some(has)) return { option: "", notes: [] };
  const mirror = resolve(homeOf(machine).folder, ".kcloud", "mirror");
  install(["terraform"], machine);
  return {
    option: ` -plugin-dir=${quoted(mirror)}`,
    notes: [
      `The provider is in ${mirror}. After ${kcloudIn(place)} install terraform --write, init needs no -plugin-dir.`,
    ],
  };
}

/** Returns the start of a configuration for an engine. */
const configuration = (engine: string, place: Place): Start => ({
  files: constants().terraform,
  conflicts: /\.(tf|tofu)(\.json)?$/,
  next: () => {
    const { option, notes } = mirrorOption(place);
    const apply = onEmulator(place, `${engine} apply -auto-approve`);
    return { notes, commands: [`${engine} init${option}`, apply] };
  },
});

/** Throws `CommandError` if the npm package, which the program imports, is not in the project. */
function requirePackage(place: Place): void {
  if (!isInstalled(place, npmPackage))
    throw new CommandError(
      `the program needs the npm package in this folder or above it: run npm install ${npmPackage}, then run again`,
    );
}

/** Returns the command that installs those libraries of the program that the project does not have. */
function installing(place: Place, names: readonly string[]): string[] {
  const missing = names.filter((name) => !isInstalled(place, name));
  return missing.length === 0 ? [] : [`npm install ${missing.join(" ")}`];
}

/**
 * Libraries of the programs that name the plugin by its path in the npm package: the package brings plugin and classes of one
 * version into each copy of the project. Without the path, a machine without the plugin asks the servers of Pulumi for it, which do
 * not have it, and the error names an address there.
 */
const librariesOf = { typescript: ["@pulumi/pulumi"], yaml: [] } as const;

function pulumi(place: Place, language: string = "typescript"): Start {
  if (!isLanguage(language))
    throw new UsageError(
      `--language must be one of ${languages.join(", ")}, not ${JSON.stringify(language)}${didYouMean(nearest(language, languages))}`,
    );
  const state = "States and secrets of the stack are in this folder, under the passphrase of the commands.";
  const apply = [
    "PULUMI_CONFIG_PASSPHRASE=demo pulumi stack init dev",
    `PULUMI_CONFIG_PASSPHRASE=demo ${onEmulator(place, "pulumi up --yes")}`,
  ];
  const files = withPluginPath(place, constants()[`pulumi-${language}`]);
  if (language === "python" || language === "go")
    return {
      files,
      next: () => ({
        notes: [
          ...installedPlugin(place, "pulumi install"),
          "pulumi install generates the SDK in sdks/kcloud.",
          state,
        ],
        commands: ["pulumi install", ...apply],
      }),
    };
  if (language === "yaml" && !isInstalled(place, npmPackage))
    return {
      files,
      next: () => ({ notes: [...installedPlugin(place, "pulumi up"), state], commands: apply }),
    };
  requirePackage(place);
  return {
    files,
    next: () => ({ notes: [state], commands: [...installing(place, librariesOf[language]), ...apply] }),
  };
}

/** Returns the files of a start with the path of the plugin in the npm package, or without one if the package is not installed. */
function withPluginPath(place: Place, files: Start["files"]): Start["files"] {
  const folder = folderWith(place, npmPackage);
  const edited = (text: string) => {
    if (folder === undefined) return text.replace(/^plugins:\n(?: .*\n)+/m, "");
    const above = relative(place.folder, folder).replaceAll("\\", "/");
    return above === "" ? text : text.replace("path: ./node_modules/", `path: ${above}/node_modules/`);
  };
  return Object.fromEntries(Object.entries(files).map(([path, text]) => [path, edited(text)]));
}

const isLanguage = (name: string): name is Language => (languages as readonly string[]).includes(name);

/** Makes sure that Pulumi has the plugin of this version, for programs without its path. Returns notes about the first command. */
function installedPlugin(place: Place, command: string): string[] {
  if (!hasPlugin(manifest.version, place.machine)) install(["pulumi"], place.machine);
  return [
    `The plugin is in ${pluginFolder(place.machine)}. On another machine, run ${kcloudIn(place)} install pulumi before ${command}.`,
    ...homeNotes(place.machine),
  ];
}

function cdktf(place: Place): Start {
  requirePackage(place);
  return {
    files: constants().cdktf,
    next: () => {
      const { option, notes } = mirrorOption(place);
      const terraform = "terraform -chdir=cdktf.out/stacks/shop";
      return {
        notes,
        commands: [
          ...installing(place, ["cdktf", "constructs"]),
          "node main.mts",
          `${terraform} init${option}`,
          onEmulator(place, `${terraform} apply -auto-approve`),
        ],
      };
    },
  };
}

type Host = "github" | "gitlab" | "shell";

/** Throws `CommandError` in a folder below that of a repository: its host reads workflows and pipelines at the root only. */
function requireRoot(folder: string, host: Host): void {
  if (host === "shell" || existsSync(join(folder, ".git"))) return;
  for (let here = dirname(folder); here !== dirname(here); here = dirname(here))
    if (existsSync(join(here, ".git")))
      throw new CommandError(
        `nothing was written, since pipelines are read at the root of a repository only: run kcloud init review in ${here}`,
      );
}

function review({ folder }: Place, hosts: readonly Host[]): Start {
  const [host = "shell", ...more] = hosts;
  requireRoot(folder, host);
  if (more.length > 0) throw new UsageError(`use only one of ${hosts.map((one) => `--${one}`).join(", ")}`);
  const { review, github, gitlab } = constants();
  const pipeline = ".gitlab-ci.yml";
  const hasPipeline = existsSync(join(folder, pipeline));
  const include = "include: review/gitlab-ci.yml";
  const ofHost = {
    shell: { files: {}, notes: [], paths: ["review"] },
    github: {
      files: github,
      notes: ["The head of each workflow lists the secrets and variables of the repository that it needs."],
      paths: ["review", ".github"],
    },
    gitlab: {
      files: { ...gitlab, ...(hasPipeline ? {} : { [pipeline]: `${include}\n` }) },
      notes: [
        "The head of review/gitlab-ci.yml lists the variables of the project that it needs.",
        ...(hasPipeline ? [`Add this line to ${pipeline}, or its file to an include there: ${include}`] : []),
      ],
      paths: ["review", ...(hasPipeline ? [] : [pipeline])],
    },
  }[host];
  return {
    files: { ...review, ...ofHost.files },
    next: () => ({
      notes: [
        "The stack is in the folder infra: replace its name in the workflows for another one, or list several.",
      ]
        .slice(host === "shell" ? 1 : 0)
        .concat(ofHost.notes),
      commands: [
        `npm install --prefix review --save-exact ${npmPackage}@${manifest.version}`,
        "echo node_modules/ >> review/.gitignore",
        `git add ${ofHost.paths.join(" ")}`,
        'git commit -m "Review planned changes"',
      ],
    }),
  };
}

/** Returns the start that the arguments ask for. Throws `UsageError`. */
function startOf(args: readonly string[], place: Place): Start {
  const { values, positionals } = parseArguments(initCommand.options, args);
  const { language, ...hosts } = values;
  const [name] = positionals;
  const names = Object.keys(initCommand.subcommands);
  if (name === undefined) throw new UsageError(`the start is missing; use one of ${names.join(", ")}`);
  checkPositionals(positionals, 1);
  if (!names.includes(name))
    throw new UsageError(
      `unknown start ${JSON.stringify(name)}${didYouMean(nearest(name, names))}; use one of ${names.join(", ")}`,
    );
  if (language !== undefined && name !== "pulumi") throw new UsageError("--language belongs to pulumi");
  const [host] = Object.keys(hosts);
  if (host !== undefined && name !== "review") throw new UsageError(`--${host} belongs to review`);
  if (name === "review") return review(place, Object.keys(hosts) as Host[]);
  if (name === "pulumi") return { ...pulumi(place, language), conflicts: /^Pulumi\.ya?ml$/ };
  if (name === "cdktf") return cdktf(place);
  return configuration(name === "opentofu" ? "tofu" : "terraform", place);
}

/** Writes a start to a folder and returns the text to print. Throws `UsageError` and `CommandError`. */
export function init(args: readonly string[], place: Place): string {
  const { files, conflicts, next } = startOf(args, place);
  const paths = Object.keys(files);
  requireNone(place.folder, paths);
  requireNoConflict(place.folder, conflicts);
  const { notes = [], commands } = next();
  writeNewFiles(place.folder, files);
  return [
    `Wrote ${paths.join(", ")}.`,
    ...notes,
    "",
    "Next commands:",
    "",
    ...commands.map((command) => `  ${command}`),
    "",
  ].join("\n");
}

/** Runs `kcloud init`. Returns the exit code. */
export const initMain = (args: readonly string[]): Promise<number> =>
  runCommand("init", () => {
    process.stdout.write(init(args, { folder: process.cwd(), machine: thisMachine() }));
    return 0;
  });
