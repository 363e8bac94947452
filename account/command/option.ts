import type { Command } from "../../command/command.ts";
import { reportOptions } from "../../review/command/option.ts";

export const driftCommand = {
  about: "compares states with the cloud",
  usage: ["drift --state [NAME=]PATH... [options]"],
  description: `Reads every object of the given states from the API, and reports the objects that
were changed or deleted outside the engine. It changes nothing, neither in the
cloud nor in a state, and needs no engine. A state is a state file of Terraform
or OpenTofu, the output of "terraform show -json" or "pulumi stack export".`,
  options: {
    state: {
      type: "string",
      multiple: true,
      value: "[NAME=]PATH",
      path: "file",
      about: "state to compare; repeatable; - reads standard input",
    },
    ...reportOptions,
  },
  notes: `Exit codes: 0 passed, 1 a state, policy or option cannot be read, 2 passed with
drift (--detailed-exitcode), 3 blocked by findings, 4 an object cannot be read.`,
} as const satisfies Command;
