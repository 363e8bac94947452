import { type Command, type Option, type Options, valuesOf } from "../command.ts";

/** Completion for Zsh, by its function \`_arguments\`. */

/** Returns a text as a word in single quotes. */
const zshWord = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** Escapes the characters that end a part of a specification of `_arguments` or `_describe`. */
const escaped = (text: string): string => text.replace(/[\\:[\]]/g, (character) => `\\${character}`);

function actionOf(option: Option): string {
  const values = Object.keys(valuesOf(option));
  if (values.length > 0) return `(${values.join(" ")})`;
  return option.path === "folder" ? "_files -/" : option.path === "file" ? "_files" : " ";
}

/** Returns the specification of an option: `*--fault=[makes requests fail]:FAULT: `. */
function specification(name: string, option: Option): string {
  const repeat = option.multiple === true ? "*" : "";
  const value = option.value === undefined ? "" : `:${escaped(option.value)}:${actionOf(option)}`;
  return zshWord(`${repeat}--${name}${value === "" ? "" : "="}[${escaped(option.about)}]${value}`);
}

const help: Option = { type: "boolean", about: "shows the help" };

const specifications = (options: Options): string => added({ ...options, help });

const added = (options: Options): string =>
  Object.entries(options)
    .map(([name, option]) => ` \\\n        ${specification(name, option)}`)
    .join("");

const described = (entries: Readonly<Record<string, { readonly about: string }>>): string =>
  Object.entries(entries)
    .map(([name, { about }]) => zshWord(`${escaped(name)}:${escaped(about)}`))
    .join(" ");

/** Returns the lines that complete a subcommand with separate options. */
const ownLines = (sub: string, options: Options): string => `      if [[ $words[2] == ${sub} ]]; then
        shift words
        ((CURRENT -= 1))
        _arguments${specifications(options)} \\
        '*:argument: '
        return
      fi
`;

/** Returns the lines that complete a subcommand with options in addition to those of its command, which are in the array `common`. */
const addedLines = (sub: string, adds: Options): string => `      if [[ $words[2] == ${sub} ]]; then
        shift words
        ((CURRENT -= 1))
        _arguments $common${added(adds)} \\
        '*:argument: '
        return
      fi
`;

function commandArm([name, { options, subcommands = {}, runsCommand }]: [string, Command]): string {
  const subcommandLines = Object.entries(subcommands).map(([sub, { options, adds }]) => {
    if (adds !== undefined) return addedLines(sub, adds);
    return options === undefined ? "" : ownLines(sub, options);
  });
  const hasAdded = Object.values(subcommands).some(({ adds }) => adds !== undefined);
  const common = hasAdded ? `      common=(${specifications(options)})\n` : "";
  if (Object.keys(subcommands).length === 0) {
    // With -S, words after -- are not completed as options.
    const command = " \\\n        '1:command:_command_names -e' \\\n        '*::argument:_normal'";
    const [flags, rest] = runsCommand === true ? [" -S", command] : ["", ""];
    return `    ${name})\n      _arguments${flags}${specifications(options)}${rest}\n      ;;\n`;
  }
  return `    ${name})
${common}${subcommandLines.join("")}      _arguments${specifications(options)} \\
        '1:subcommand:->subcommand'
      if [[ $state == subcommand ]]; then
        names=(${described(subcommands)})
        _describe subcommand names
      fi
      ;;
`;
}

/** Returns the script of the completion. */
export const zsh = (commands: Readonly<Record<string, Command>>): string => `#compdef kcloud
# Completion of kcloud for Zsh. Written by \`kcloud completion zsh\`.

_kcloud() {
  local state line
  local -a names common
  names=(${described(commands)})
  if ((CURRENT == 2)); then
    _describe command names
    _arguments '--version[shows the version]' '--help[shows the list of commands]'
    return
  fi
  shift words
  ((CURRENT -= 1))
  case $words[1] in
${Object.entries(commands).map(commandArm).join("")}  esac
}

if [[ $funcstack[1] == _kcloud ]]; then _kcloud "$@"; else compdef _kcloud kcloud; fi
`;
