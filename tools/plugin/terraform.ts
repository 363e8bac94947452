import { type ChildProcess, spawn } from "node:child_process";
import { X509Certificate } from "node:crypto";
import { connect as connectSocket } from "node:net";
import { createInterface } from "node:readline";
import { connect as connectTls } from "node:tls";
import { fileURLToPath } from "node:url";
import { type Certificate, makeCertificate } from "../../provider/grpc/certificate.ts";
import { type Client, connect } from "./grpc-client.ts";

/** Runs the Terraform plugin as a process, as an engine does. */

/** Source of the plugin, which Node runs directly. */
const main = fileURLToPath(new URL("../../provider/terraform/main.ts", import.meta.url));

export const cookie = {
  TF_PLUGIN_MAGIC_COOKIE: "d602bf8f470bc67ca7faa0386276bbdd4330efaf76d1a219cb4d6991ca9872b2",
  PLUGIN_PROTOCOL_VERSIONS: "5,6",
  PLUGIN_MIN_PORT: "10000",
  PLUGIN_MAX_PORT: "25000",
};

export interface Plugin {
  readonly process: ChildProcess;
  /** First line of standard output; with `--debug`, the first with TF_REATTACH. Undefined if the output ends without it. */
  readonly line: Promise<string | undefined>;
  readonly ended: Promise<{ code: number | null; signal: string | null; stdout: string; stderr: string }>;
  /** Waits until standard error contains a text. */
  printed(text: string): Promise<void>;
}

const started = new Set<ChildProcess>();

/** Terminates the plugins that a test left running. */
export function endPlugins(): void {
  for (const process of started) process.kill("SIGTERM");
  started.clear();
}

export function startPlugin(
  environment: Readonly<Record<string, string>>,
  args: readonly string[] = [],
  nodeArgs: readonly string[] = [],
  program = main,
): Plugin {
  const child = spawn(process.execPath, ["--no-warnings", ...nodeArgs, program, ...args], {
    env: { PATH: process.env.PATH, ...environment },
    stdio: ["ignore", "pipe", "pipe"],
  });
  started.add(child);
  let stderr = "";
  const listeners = new Set<() => void>();
  child.stderr.on("data", (part) => {
    stderr += part;
    for (const listener of listeners) listener();
  });
  const lines: string[] = [];
  const reader = createInterface({ input: child.stdout });
  const line = new Promise<string | undefined>((resolve) => {
    reader.on("line", (text) => {
      lines.push(text);
      if (args.includes("--debug") ? text.includes("TF_REATTACH") : true) resolve(text);
    });
    reader.once("close", () => resolve(undefined));
  });
  const ended = new Promise<Awaited<Plugin["ended"]>>((resolve) => {
    child.once("close", (code, signal) => {
      started.delete(child);
      resolve({ code, signal, stdout: lines.map((text) => `${text}\n`).join(""), stderr });
    });
  });
  return {
    process: child,
    line,
    ended,
    printed: (text) =>
      new Promise((resolve) => {
        const look = () => {
          if (!stderr.includes(text)) return;
          listeners.delete(look);
          resolve();
        };
        listeners.add(look);
        look();
      }),
  };
}

export interface Connected {
  readonly plugin: Plugin;
  readonly address: string;
  readonly client: Client;
  again(): Promise<Client>;
}

/** Starts the plugin and connects to it with mutual TLS. */
export async function connectPlugin(
  environment: Readonly<Record<string, string>> = {},
  nodeArgs: readonly string[] = [],
  program = main,
): Promise<Connected> {
  const clientCertificate = makeCertificate(Date.now());
  const invitation = { ...cookie, PLUGIN_CLIENT_CERT: clientCertificate.cert, ...environment };
  const plugin = startPlugin(invitation, [], nodeArgs, program);
  const line = await plugin.line;
  const [, , , address = "", , certificate = ""] = line?.split("|") ?? [];
  const again = () => connectSecure(address, certificate, clientCertificate);
  return { plugin, address, client: await again(), again };
}

const connectSecure = (
  path: string,
  certificate: string,
  clientCertificate: Certificate,
): Promise<Client> => {
  const ca = new X509Certificate(Buffer.from(certificate, "base64")).toString();
  const { key, cert } = clientCertificate;
  return connect("https://localhost", {
    createConnection: () =>
      connectTls({ path, ca, key, cert, servername: "localhost", ALPNProtocols: ["h2"] }),
  });
};

export const connectPlain = (path: string): Promise<Client> =>
  connect("http://localhost", { createConnection: () => connectSocket(path) });
