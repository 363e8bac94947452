import { type Command, type Option, type Options, valuesOf } from "../command.ts";

/** Completion for Bash 3.2 (macOS) and later. Bash 3.2 has no `compopt`. */

type Commands = Readonly<Record<string, Command>>;

const optionsOf = (options: Options): string[] =>
  [...Object.keys(options), "help"].map((name) => `--${name}`);

/** Returns the command that sets the completions of an option's value. Without completions, Bash completes files. */
function valueReply(option: Option): string {
  const values = Object.keys(valuesOf(option));
  if (values.length > 0) return `COMPREPLY=($(compgen -W '${values.join(" ")}' -- "$word"))`;
  if (option.path === "folder") return 'COMPREPLY=($(compgen -d -- "$word"))';
  return option.path === "file" ? ":" : "compopt +o default 2>/dev/null";
}

/** Returns the arms of a `case` over the preceding word: one for all options with a value whose completions are equal. */
function valueArms(options: Options): string {
  const taking = Object.entries(options).filter(([, { type }]) => type === "string");
  return [...Map.groupBy(taking, ([, option]) => valueReply(option))]
    .map(([reply, alike]) => {
      const names = alike.map(([name]) => `--${name}`).join(" | ");
      return `        ${names}) ${reply}; return ;;\n`;
    })
    .join("");
}

/** Returns the arms of the subcommands that have options in addition to those of their command. */
const addedArms = (name: string, { subcommands = {} }: Command): string =>
  Object.entries(subcommands)
    .flatMap(([sub, { adds }]) => {
      if (adds === undefined) return [];
      const arms = valueArms(adds);
      const words = Object.keys(adds).map((option) => `--${option}`);
      const values = arms === "" ? "" : `      case $before in\n${arms}      esac\n`;
      return `    '${name} ${sub}')\n${values}      more=' ${words.join(" ")}' ;;\n`;
    })
    .join("");

/** Returns the arms of a command: one for each subcommand with separate options, and one for the rest. */
function commandArms(name: string, { options, subcommands = {}, runsCommand }: Command): string {
  const subcommandArms = Object.entries(subcommands).flatMap(([sub, { options }]) =>
    options === undefined ? [] : [arm(`'${name} ${sub}'`, options, [], false)],
  );
  return [
    ...subcommandArms,
    arm(`${name}\\ *`, options, Object.keys(subcommands), runsCommand === true),
  ].join("");
}

function arm(
  pattern: string,
  options: Options,
  subcommands: readonly string[],
  runsCommand: boolean,
): string {
  const arms = valueArms(options);
  const words = [...optionsOf(options), ...(runsCommand ? ["--"] : [])].join(" ");
  return `    ${pattern})
${arms === "" ? "" : `      case $before in\n${arms}      esac\n`}      words='${words}'
${subcommands.length === 0 ? "" : `      if [[ -z $sub ]]; then words="$words ${subcommands.join(" ")}"; fi\n`}      ;;
`;
}

/** Returns the script of the completion. */
export const bash = (
  commands: Commands,
): string => `# Completion of kcloud for Bash. Written by \`kcloud completion bash\`.

_kcloud() {
  local word=\${COMP_WORDS[COMP_CWORD]} before=\${COMP_WORDS[COMP_CWORD-1]} words= more= command= sub= at
  COMPREPLY=()
  # Bash splits --name=value into three words.
  if [[ $word == '=' ]]; then word=; elif [[ $before == '=' ]]; then before=\${COMP_WORDS[COMP_CWORD-2]}; fi
  for ((at = 1; at < COMP_CWORD; at++)); do
    case \${COMP_WORDS[at]} in
      --)
        # The rest is the command line of another program.
        if declare -F _command_offset >/dev/null; then _command_offset $((at + 1)); return; fi
        if ((at + 1 == COMP_CWORD)); then COMPREPLY=($(compgen -c -- "$word")); fi
        return
        ;;
      -*) ;;
      *) if [[ -z $command ]]; then command=\${COMP_WORDS[at]}; elif [[ -z $sub ]]; then sub=\${COMP_WORDS[at]}; fi ;;
    esac
  done
  case "$command $sub" in
${Object.entries(commands)
  .map(([name, command]) => addedArms(name, command))
  .join("")}  esac
  case "$command $sub" in
    ' ') words='${[...Object.keys(commands), "--version", "--help"].join(" ")}' ;;
${Object.entries(commands)
  .map(([name, command]) => commandArms(name, command))
  .join("")}  esac
  COMPREPLY=($(compgen -W "$words$more" -- "$word"))
}

complete -o default -F _kcloud kcloud
`;
