/** Description of `kcloud completion`. */
export const completionCommand = {
  about: "prints the completion script of a shell",
  usage: ["completion bash|zsh|fish"],
  description: `Prints a script that makes a shell complete commands, options and their values.

  bash   eval "$(kcloud completion bash)"    in ~/.bashrc
  zsh    eval "$(kcloud completion zsh)"     in ~/.zshrc, after compinit
  fish   kcloud completion fish > ~/.config/fish/completions/kcloud.fish`,
  options: {},
  subcommands: {
    bash: { about: "completion for Bash 3.2 and later" },
    zsh: { about: "completion for Zsh" },
    fish: { about: "completion for fish" },
  },
} as const;
