import { existsSync, readdirSync, readFileSync } from "node:fs";
import { extname, join, relative, resolve } from "node:path";
import { provider } from "../../provider/core/name.ts";
import type { Refusal } from "./entry.ts";
import { type Entry, entriesIn, isMapping, scalarIn, UnreadableYamlError } from "./yaml.ts";

/**
 * Project of a Pulumi program and configuration of its stack. Refuses what leads out of the copied folder, or to other packages,
 * with its place. Everything that cannot be read counts as one.
 */

export interface Program {
  /** Name of the project. */
  readonly name: string;
  /** Name of the project file, and its entries for the copy. */
  readonly file: string;
  readonly entries: readonly Entry[];
  readonly runtime: string;
  /** Options of the language host, as far as they are allowed. */
  readonly options: ReadonlyMap<string, string>;
  /** Folder of the stack configurations, relative to the program. */
  readonly configurationFolder: string;
  readonly refusals: readonly Refusal[];
}

const projectFiles = ["Pulumi.yaml", "Pulumi.yml"];

/** Returns the name of the project file in a folder; undefined without one. */
export const projectFileIn = (folder: string): string | undefined =>
  projectFiles.find((name) => existsSync(join(folder, name)));

/** Parts of a project that are copied as they are. */
const keptParts = new Set([
  ...["name", "main", "description", "author", "website", "license", "version", "namespace", "template"],
  ...["runtime", "options", "config", "stackConfigDir", "requiredPulumiVersion"],
  // Programs in YAML.
  ...["configuration", "resources", "variables", "outputs", "components", "pulumi", "sdks"],
]);
/** Parts that the copy has in another form, or does not need. */
const replacedParts = new Set(["plugins", "packages", "backend"]);

/** Options of the language hosts that run programs of the folder only, by the runtime. */
const hostOptions: ReadonlyMap<string, readonly string[]> = new Map([
  ["nodejs", ["typescript", "packagemanager", "nodeargs"]],
  ["python", ["virtualenv", "toolchain"]],
  ["yaml", []],
]);

/** Reader of a project file that collects what is refused of it. */
interface Reader {
  readonly refusals: Refusal[];
  refuse(line: number, reason: string): void;
  /** Returns the entries of a mapping; none for one that cannot be read, which is refused. */
  entries(text: string, line?: number): readonly Entry[];
  /** Returns the text of a scalar; undefined for one that is missing, or cannot be read, which is refused. */
  scalar(entry: Entry | undefined): string | undefined;
  /** Returns the text of a scalar with paths, of which none may lead out of the copied folder. */
  inside(entry: Entry | undefined, name?: string): string | undefined;
}

function readerOf(root: string, path: string, place: string): Reader {
  const refusals: Refusal[] = [];
  const refuse = (line: number, reason: string) => {
    refusals.push({ place: `${place}:${line}`, reason });
  };
  const reading = <T>(otherwise: T, read: () => T): T => {
    try {
      return read();
    } catch (error) {
      if (!(error instanceof UnreadableYamlError)) throw error;
      refuse(Number(/^line (\d+)/.exec(error.message)?.[1] ?? 1), error.message.replace(/^line \d+ /, ""));
      return otherwise;
    }
  };
  const scalar = (entry: Entry | undefined) =>
    entry === undefined ? undefined : reading(undefined, () => scalarIn(entry));
  return {
    ...{ refusals, refuse, scalar },
    entries: (text, line) => reading([], () => entriesIn(text, line)),
    inside(entry, name = entry?.key) {
      const value = scalar(entry);
      if (entry === undefined || !value?.split(/[\s=]+/).some((word) => leadsOut(root, path, word)))
        return value;
      refuse(entry.line, `${name} ${JSON.stringify(value)} is outside of the copied folder`);
      return undefined;
    },
  };
}

const nameOfProject = /^(?!\.+$)[\w.-]+$/;

/** Reads the project in a folder, and what is refused of it. */
export function readProgram(root: string, folder: string, file: string): Program {
  const path = join(root, folder);
  const reader = readerOf(root, path, join(folder, file));
  const { refuse } = reader;
  const text = readFileSync(join(path, file), "utf8");
  refuseFunctions(root, path, text, refuse);
  const entries = reader.entries(text);
  const entry = (key: string) => entries.find((one) => one.key === key);
  for (const { key, line } of entries)
    if (!keptParts.has(key) && !replacedParts.has(key)) refuse(line, `${key} is not known to a rehearsal`);
  const name = reader.scalar(entry("name")) ?? "";
  if (!nameOfProject.test(name)) refuse(entry("name")?.line ?? 1, "the name of the project cannot be read");
  const config = entry("config");
  if (config !== undefined && !isMapping(config)) refuse(config.line, "config is no mapping");
  else if (config !== undefined) reader.entries(config.text, config.line);
  refuseStrangers(reader, entry("packages"), entry("plugins"));
  reader.inside(entry("main"));
  return {
    ...{ name, file },
    entries: entries.filter(({ key }) => keptParts.has(key)),
    ...runtimeIn(reader, entry("runtime")),
    configurationFolder: reader.inside(entry("stackConfigDir")) ?? "",
    refusals: reader.refusals,
  };
}

/** Functions of YAML that read a file, and those that read from a network. */
const fileFunction = /fn::(?:readFile|fileAsset|fileArchive)["']?\s*:\s*["']?([^"',}\s]+)/gi;
const networkFunction = /fn::(remoteAsset|remoteArchive)/gi;

/** Refuses functions of YAML with a file outside of the copied folder, or from a network. A path that is computed is not recognized. */
function refuseFunctions(root: string, path: string, text: string, refuse: Reader["refuse"]): void {
  for (const [index, line] of text.split("\n").entries()) {
    for (const [, file = ""] of line.matchAll(fileFunction))
      if (leadsOut(root, path, file.replace(/^\$\{pulumi\.cwd\}\//, "")))
        refuse(index + 1, `reads ${JSON.stringify(file)}, which is outside of the copied folder`);
    for (const [, name] of line.matchAll(networkFunction))
      refuse(index + 1, `fn::${name} reads from a network`);
  }
}

/** Refuses other packages than this one, and plugins that are no providers. */
function refuseStrangers(reader: Reader, packages: Entry | undefined, plugins: Entry | undefined): void {
  const refuse = (name: string, line: number) => {
    if (name !== provider) reader.refuse(line, `uses the package ${name}, which no emulator confines`);
  };
  for (const { key, line } of packages === undefined ? [] : reader.entries(packages.text, packages.line))
    refuse(key, line);
  for (const { key, line, text } of plugins === undefined ? [] : reader.entries(plugins.text, plugins.line)) {
    if (key !== "providers") reader.refuse(line, `plugins.${key} runs outside of the emulator`);
    for (const [, name = ""] of text.matchAll(/["']?\bname["']?\s*:\s*["']?([^\s"',}]+)/g))
      refuse(name, line);
  }
}

/** Returns the language host of a project and its options. */
function runtimeIn(reader: Reader, entry: Entry | undefined): Pick<Program, "runtime" | "options"> {
  const parts = entry !== undefined && isMapping(entry) ? reader.entries(entry.text, entry.line) : [];
  const part = (key: string) => parts.find((one) => one.key === key);
  const runtime = reader.scalar(parts.length > 0 ? part("name") : entry) ?? "";
  const allowed = hostOptions.get(runtime);
  if (allowed === undefined)
    reader.refuse(
      entry?.line ?? 1,
      `the runtime ${runtime || "of the program"} has no rehearsal yet: only ${[...hostOptions.keys()].join(", ")}`,
    );
  for (const { key, line } of parts)
    if (key !== "name" && key !== "options")
      reader.refuse(line, `runtime.${key} is not known to a rehearsal`);
  const written = part("options");
  const options = new Map<string, string>();
  for (const option of written === undefined ? [] : reader.entries(written.text, written.line)) {
    const name = `runtime.options.${option.key}`;
    const value = reader.inside(option, name);
    if (!allowed?.includes(option.key) || (option.key === "toolchain" && value !== "pip"))
      reader.refuse(option.line, `${name} runs programs that a rehearsal does not know`);
    else if (value !== undefined) options.set(option.key, value);
  }
  return { runtime, options };
}

function leadsOut(root: string, path: string, text: string): boolean {
  if (/^[~/\\]|^[A-Za-z]:/.test(text)) return true;
  return /^\.\.([\\/]|$)/.test(relative(root, resolve(path, text)));
}

/** Configuration of a stack. */
export interface Configuration {
  /** Path of its file, relative to the program. */
  readonly file: string;
  readonly exists: boolean;
  /** Settings by their keys, such as `kcloud:region`. */
  readonly settings: readonly Entry[];
  /** Salt of the passphrase, if the stack has one. */
  readonly salt: string | undefined;
  /** Key service of the secrets; undefined for a passphrase. */
  readonly keyService: string | undefined;
  readonly refusals: readonly Refusal[];
}

/** Reads the configuration of a stack. */
export function readConfiguration(
  path: string,
  { file, configurationFolder }: Program,
  stack: string,
): Configuration {
  const name = join(configurationFolder, `Pulumi.${stack}${extname(file)}`);
  const none = {
    file: name,
    exists: false,
    settings: [],
    salt: undefined,
    keyService: undefined,
    refusals: [],
  };
  if (!existsSync(join(path, name))) return none;
  try {
    const entries = entriesIn(readFileSync(join(path, name), "utf8"));
    const entry = (key: string) => entries.find((one) => one.key === key);
    const scalar = (one: Entry | undefined) => (one === undefined ? undefined : scalarIn(one));
    const config = entry("config");
    return {
      ...{ file: name, exists: true },
      settings: config === undefined ? [] : entriesIn(config.text, config.line),
      salt: scalar(entry("encryptionsalt")),
      keyService: scalar(entry("secretsprovider"))?.replace(/^passphrase$/, "") || undefined,
      refusals: entries
        .filter(({ key }) => !["config", "encryptionsalt", "secretsprovider", "encryptedkey"].includes(key))
        .map(({ key, line }) => ({
          place: `${name}:${line}`,
          reason:
            key === "environment"
              ? "environment reads settings of Pulumi Cloud"
              : `${key} is not known to a rehearsal`,
        })),
    };
  } catch (error) {
    if (!(error instanceof UnreadableYamlError)) throw error;
    return { ...none, exists: true, refusals: [{ place: name, reason: error.message }] };
  }
}

/** Returns true if a setting has an encrypted part, or may have one. */
export const isSecure = ({ text }: Entry): boolean => /\bsecure\b["']?\s*:/.test(text);

/** Returns the names of the stacks with a configuration in a folder. */
export const stacksIn = (path: string, { file, configurationFolder }: Program): string[] =>
  (existsSync(join(path, configurationFolder)) ? readdirSync(join(path, configurationFolder)) : []).flatMap(
    (name) =>
      name.startsWith("Pulumi.") && name !== file && extname(name) === extname(file)
        ? [name.slice(7, -extname(name).length)]
        : [],
  );
