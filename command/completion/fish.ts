import { type Command, type Options, valuesOf } from "../command.ts";

/** Completion for fish: one line for each command, subcommand and option. */

/** Returns a text as a word in single quotes. */
const fishWord = (text: string): string => `'${text.replace(/[\\']/g, (character) => `\\${character}`)}'`;

/** Returns a line for each option, under a condition on the command line. */
const optionLines = (condition: string, options: Options): string[] =>
  Object.entries(options).map(([name, option]) => {
    const values = Object.keys(valuesOf(option));
    const value =
      option.type === "boolean"
        ? ""
        : values.length > 0
          ? ` -x -a ${fishWord(values.join(" "))}`
          : option.path === "folder"
            ? " -x -a '(__fish_complete_directories)'"
            : option.path === "file"
              ? " -r -F"
              : " -x";
    return `complete -c kcloud -n ${fishWord(condition)} -l ${name}${value} -d ${fishWord(option.about)}`;
  });

function commandLines([name, { about, options, subcommands = {} }]: [string, Command]): string[] {
  const here = `__kcloud_at ${name}`;
  const completable = Object.entries(subcommands).flatMap(([sub, { options }]) =>
    options === undefined ? [] : [[sub, options] as const],
  );
  const rest =
    completable.length === 0
      ? here
      : `${here}; and not __kcloud_at ${name} ${completable.map(([sub]) => sub).join(" ")}`;
  return [
    `complete -c kcloud -n __kcloud_first -a ${name} -d ${fishWord(about)}`,
    ...Object.entries(subcommands).map(
      ([sub, { about }]) => `complete -c kcloud -n '__kcloud_last ${name}' -a ${sub} -d ${fishWord(about)}`,
    ),
    ...completable.flatMap(([sub, options]) => optionLines(`__kcloud_at ${name} ${sub}`, options)),
    ...Object.entries(subcommands).flatMap(([sub, { adds = {} }]) =>
      optionLines(`__kcloud_at ${name} ${sub}`, adds),
    ),
    ...optionLines(rest, options),
    `complete -c kcloud -n ${fishWord(here)} -l help -d 'shows the help'`,
  ];
}

/** Returns the script of the completion. */
export const fish = (
  commands: Readonly<Record<string, Command>>,
): string => `# Completion of kcloud for fish. Written by \`kcloud completion fish\`.

# Complete words of the command line, without options.
function __kcloud_words
    string match --invert -- '-*' (commandline -opc)
end

function __kcloud_first
    test (count (__kcloud_words)) = 1
end

# True if the command line has only this command.
function __kcloud_last
    set -l words (__kcloud_words)
    test (count $words) = 2; and test $words[2] = $argv[1]
end

# True if the command line has this command and, with more arguments, one of these subcommands.
function __kcloud_at
    set -l words (__kcloud_words)
    test (count $words) -ge 2; and test $words[2] = $argv[1]; or return 1
    test (count $argv) = 1; and return 0
    test (count $words) -ge 3; and contains -- $words[3] $argv[2..]
end

# True after --, where the command line of another program begins.
function __kcloud_command
    contains -- -- (commandline -opc)
end

complete -c kcloud -f
complete -c kcloud -n __kcloud_first -l version -d 'shows the version'
complete -c kcloud -n __kcloud_first -l help -d 'shows the list of commands'
complete -c kcloud -n __kcloud_command -F
${Object.entries(commands).flatMap(commandLines).join("\n")}
`;
