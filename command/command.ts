/** Description of a command of `kcloud`, shared by its parser, its help and the shell completion. */

/** Option of a command, in the form that `parseArgs` of Node reads, with its description. */
export interface Option {
  readonly type: "string" | "boolean";
  readonly multiple?: boolean;
  /** Placeholder of the value in the help, as `FILE`; undefined for an option without a value. */
  readonly value?: string;
  readonly about: string;
  /** Accepted values, or accepted values with a description of each. */
  readonly values?: readonly string[] | Readonly<Record<string, string>>;
  /** Kind of path, for an option whose value is a path. */
  readonly path?: "file" | "folder";
  /** True if the option is only in the topic of the command, not in its help. */
  readonly rare?: true;
}

export type Options = Readonly<Record<string, Option>>;

/** Subcommand: first argument of a command. */
export interface Subcommand {
  readonly about: string;
  /** Options of the subcommand. Default: those of its command. */
  readonly options?: Options;
  /** Options of the subcommand in addition to those of its command. */
  readonly adds?: Options;
}

export interface Command {
  /** Description in the list of commands: a verb phrase. */
  readonly about: string;
  /** Lines of the usage, without `kcloud`. */
  readonly usage: readonly string[];
  /** Paragraphs between the usage and the options, in lines of at most 80 characters. */
  readonly description: string;
  readonly options: Options;
  readonly subcommands?: Readonly<Record<string, Subcommand>>;
  /** Paragraphs after the options, in lines of at most 80 characters. */
  readonly notes?: string;
  /** True if the command accepts a command line of the user after `--`. */
  readonly runsCommand?: true;
  /** Topic of `kcloud help` with all options, followed by `notes`. */
  readonly topic?: { readonly name: string; readonly about: string; readonly notes: string };
}

/** Returns the accepted values of an option, each with its description or an empty text; an empty object for any value. */
export function valuesOf({ values = [] }: Option): Readonly<Record<string, string>> {
  if (!Array.isArray(values)) return values as Readonly<Record<string, string>>;
  return Object.fromEntries((values as readonly string[]).map((value) => [value, ""]));
}
