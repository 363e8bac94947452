import { provider, terraformSource } from "../../core/name.ts";

/** Handshake before gRPC: the engine sets environment variables, the plugin process prints one line. */

const cookie = "d602bf8f470bc67ca7faa0386276bbdd4330efaf76d1a219cb4d6991ca9872b2";
const protocol = 6;

/** Environment variables that an engine sets. */
export interface PluginEnvironment {
  /** Certificate that the engine presents; undefined for plain-text connections. */
  readonly clientCertificate: string | undefined;
  /** Folder for the socket. Default: the folder for temporary files. */
  readonly socketFolder: string | undefined;
}

/** Reads the variables of the engine. Returns a message for the user if they are missing or of another protocol. */
export function readPluginEnvironment(environment: NodeJS.ProcessEnv): PluginEnvironment | string {
  if (environment.TF_PLUGIN_MAGIC_COOKIE !== cookie)
    return `This is the ${provider} provider of Terraform and OpenTofu. Both start it themselves: do not run it directly.`;
  const versions = (environment.PLUGIN_PROTOCOL_VERSIONS ?? String(protocol)).split(",");
  if (!versions.includes(String(protocol)))
    return `The ${provider} provider speaks plugin protocol ${protocol}: use Terraform 1.0, OpenTofu 1.6 or newer.`;
  return {
    clientCertificate: environment.PLUGIN_CLIENT_CERT || undefined,
    socketFolder: environment.PLUGIN_UNIX_SOCKET_DIR || undefined,
  };
}

/** Address of the server. */
export interface Endpoint {
  readonly network: "unix" | "tcp";
  readonly address: string;
}

/** Returns the handshake line `1|6|unix|/tmp/…|grpc|MIIB…`. Last field: certificate in unpadded base64, or empty. */
export const handshakeLine = ({ network, address }: Endpoint, certificate: Buffer | undefined): string =>
  `1|${protocol}|${network}|${address}|grpc|${certificate?.toString("base64").replace(/=+$/, "") ?? ""}\n`;

/** Returns the instructions for attaching engines to a process that a developer started. */
export function reattachText({ network, address }: Endpoint, pid: number): string {
  const config = {
    [terraformSource]: {
      Protocol: "grpc",
      ProtocolVersion: protocol,
      Pid: pid,
      Test: true,
      Addr: { Network: network, String: address },
    },
  };
  return `The provider is running. In the shell of Terraform or OpenTofu, set\n\n  TF_REATTACH_PROVIDERS='${JSON.stringify(config)}'\n\nEnd it with Ctrl-C.\n`;
}
