import type { Command } from "../../command/command.ts";

export const mcpCommand = {
  about: "runs a tool server for agents, which only reads unless --allow-writes is set",
  usage: ["mcp [--folder DIR] [options]", "mcp --http [HOST:]PORT [options]"],
  description: `Tool server of the Model Context Protocol: look-ups of the objects of an
account, the pages and schemas of every definition, and, for the folder of
--folder, plan, rehearsal, review and verdict in an emulator. Sends only reads.

With --allow-writes, agents can also call operations of the API that create,
change and destroy. What destroys needs the digest of a preview, and asks the
user of a client with forms. This guards against mistakes, not against an agent.

Without --http, a client starts the command and speaks on standard input and
output. The API key is that of SERVICE_API_KEY or of a profile. A console access
token is not accepted in its place.

With --http, each request carries its API key as "Authorization: Bearer KEY".
The server sends it to the address of its own settings only. The path is /mcp.`,
  options: {
    http: {
      type: "string",
      value: "[HOST:]PORT",
      about: "serves over HTTP. Default host: 127.0.0.1; port 0 is a free one",
    },
    "allow-writes": {
      type: "boolean",
      about: "adds tools that call operations which create, change and destroy",
    },
    "tls-cert": {
      type: "string",
      value: "FILE",
      path: "file",
      about: "certificate of the server with its chain, PEM",
    },
    "tls-key": { type: "string", value: "FILE", path: "file", about: "private key of the certificate, PEM" },
    "behind-proxy": {
      type: "boolean",
      about: "accepts a host other than the loopback without TLS, which a proxy has",
    },
    "allow-host": {
      type: "string",
      multiple: true,
      value: "NAME",
      about: "name of the server in Host and Origin; repeatable. Default: loopback",
    },
    folder: {
      type: "string",
      value: "DIR",
      path: "folder",
      about: "configuration or program that the tools plan and review; not with --http",
    },
    state: {
      type: "string",
      value: "FILE",
      path: "file",
      about: "state of the folder. Default: its terraform.tfstate, else an empty one",
    },
    stack: {
      type: "string",
      value: "NAME",
      about: "stack of a Pulumi program. Default: the one of the state, or dev",
    },
    policy: { type: "string", value: "DIR", path: "folder", about: "policy of the review. Default: none" },
    engine: {
      type: "string",
      value: "PROGRAM",
      about: "terraform, tofu or pulumi, or a path. Default: the one on PATH",
    },
    "allow-unconfined": {
      type: "boolean",
      about: "runs the folder where programs cannot be isolated: they read all of your files",
    },
  },
  notes: `Exit codes: 0 the client has closed its standard input, 1 an error, 2 invalid
options, 129, 130 or 143 after a signal.`,
} as const satisfies Command;
