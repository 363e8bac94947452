import type { Command, Options } from "../command/command.ts";

/** Description of `kcloud call`, without the operations. */

/** Options of every call, in addition to the parameters of its operation. */
export const callOptions = {
  json: {
    type: "string",
    value: "FILE",
    path: "file",
    about: "parameters as a JSON object, with names such as vpcId; - reads standard input",
  },
  content: {
    type: "string",
    value: "FILE",
    path: "file",
    about: "content that the operation sends; - reads standard input",
  },
  out: { type: "string", value: "FILE", path: "file", about: "writes the response or the content to a file" },
  field: {
    type: "string",
    value: "NAME",
    about: "prints one field of the response as text, such as volume.id or 0.name",
  },
  all: { type: "boolean", about: "all rows of a listing, from every page, as JSON lines" },
  "dry-run": { type: "boolean", about: "prints the request with secrets masked, and sends nothing" },
  yes: { type: "boolean", about: "sends a change without a question" },
  confirm: { type: "string", value: "ID", about: "with --yes: ID of the object that the operation destroys" },
  profile: { type: "string", value: "NAME", about: "profile with the settings" },
  timeout: {
    type: "string",
    value: "SECONDS",
    about: "maximum time of the call, with its wait. Default: none; 600 for a wait",
  },
  verbose: { type: "boolean", about: "prints a line for each request to standard error" },
} as const satisfies Options;

/** Option of the operations whose object can be waited for, which their help describes. */
export const waitOption = {
  wait: { type: "boolean", about: "waits until the object is ready or gone" },
} as const satisfies Options;

export const callCommand = {
  about: "calls an operation of the API",
  usage: ["call OPERATION [--PARAMETER VALUE]... [options]", "call --list [TEXT]", "call OPERATION --help"],
  description: `Calls any operation of the API once, such as "kcloud call get_vpc --vpc-id ID".
"kcloud call --list" lists the operations, and --help after an operation shows
its parameters. Settings and credentials are those of the environment and the
profile. The response is JSON; on a terminal, a listing is a table.

An operation that changes something asks first; without a terminal, it needs
--yes. One that destroys something asks for the ID of the object; without a
terminal, it needs --yes and --confirm ID. With --wait, the call of an operation
whose object can be waited for, as its help says, ends when the object is ready,
and prints it, or when it is gone.

A secret is refused as an argument, since other users can read arguments. Pass
it with --json - or a --json file of mode 600, name an environment variable, as
in --password-env VARIABLE, or type it when the terminal asks for it. A response
with a secret needs --out, or a terminal.`,
  options: {
    list: { type: "boolean", about: "lists the operations, or those that contain TEXT" },
    ...callOptions,
  },
  notes: `Exit codes: 0 done, 1 an error, and nothing was changed, 2 invalid options or
parameters, 3 the API refused the request, 4 a change may have been executed, or
it was and its response or its --wait failed, 5 not found, 6 not confirmed. 129,
130 and 143 after a signal: no change was sent, or a message says that it was.`,
} as const satisfies Command;
