import { provider, terraformSource } from "../../core/name.ts";

/** What an engine and a plugin process tell each other before they speak gRPC: variables in, one line out. */

const cookie = "d602bf8f470bc67ca7faa0386276bbdd4330efaf76d1a219cb4d6991ca9872b2";
const protocol = 6;

/** What the engine wants of this process. */
export interface Invitation {
  /** The certificate that its connections will show; without one they come in clear. */
  readonly clientCertificate: string | undefined;
  /** Where the socket goes, if not to the system's folder of temporary files. */
  readonly socketFolder: string | undefined;
}

/** Reads the engine's variables; a sentence for a human where there are none. */
export function readInvitation(environment: NodeJS.ProcessEnv): Invitation | string {
  if (environment.TF_PLUGIN_MAGIC_COOKIE !== cookie)
    return `This is the ${provider} provider of Terraform and OpenTofu. Either of them starts it; it is not run by hand.`;
  const spoken = (environment.PLUGIN_PROTOCOL_VERSIONS ?? String(protocol)).split(",");
  if (!spoken.includes(String(protocol)))
    return `The ${provider} provider speaks plugin protocol ${protocol}: use Terraform 1.0, OpenTofu 1.6 or newer.`;
  return {
    clientCertificate: environment.PLUGIN_CLIENT_CERT || undefined,
    socketFolder: environment.PLUGIN_UNIX_SOCKET_DIR || undefined,
  };
}

/** Where the server listens. */
export interface Endpoint {
  readonly network: "unix" | "tcp";
  readonly address: string;
}

/** `1|6|unix|/tmp/…|grpc|MIIB…`: the certificate without padding, or nothing. */
export const handshakeLine = ({ network, address }: Endpoint, certificate: Buffer | undefined): string =>
  `1|${protocol}|${network}|${address}|grpc|${certificate?.toString("base64").replace(/=+$/, "") ?? ""}\n`;

/** For a process that a human started: what to set so that engines use it. */
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
