import type { Opening } from "../../provider/definition/resource.ts";
import { joined, type Sentence, say, word } from "../model/sentence.ts";

/** Ports and protocols of services that must not be open to every address. */

/** Port, or range of ports, of a service that must not be open to every address. */
interface SensitivePort {
  readonly first: number;
  readonly last: number;
  readonly service: string;
  /** True for a login, a database or an administration service. */
  readonly isCritical: boolean;
  readonly protocols: readonly string[];
}

const port = (
  service: string,
  first: number,
  { last = first, isCritical = true, protocols = ["tcp"] }: Partial<SensitivePort> = {},
): SensitivePort => ({ first, last, service, isCritical, protocols });

const lesser = { isCritical: false } as const;
const both = { protocols: ["tcp", "udp"] } as const;

/** Ports that must not be open to every address, each with the service that usually uses it. */
const sensitivePorts: readonly SensitivePort[] = [
  port("SSH", 22),
  port("Telnet", 23),
  port("SMTP", 25, lesser),
  port("TFTP", 69, { ...lesser, protocols: ["udp"] }),
  port("RPC", 111, { ...lesser, ...both }),
  port("Windows RPC", 135),
  port("NetBIOS", 137, { ...lesser, last: 139, ...both }),
  port("SNMP", 161, { protocols: ["udp"] }),
  port("LDAP", 389, both),
  port("SMB", 445),
  port("SQL Server", 1433),
  port("SQL Server browser", 1434, { protocols: ["udp"] }),
  port("Oracle", 1521),
  port("NFS", 2049, both),
  port("Docker", 2375, { last: 2376 }),
  port("etcd", 2379, { last: 2380 }),
  port("MySQL", 3306),
  port("RDP", 3389, both),
  port("PostgreSQL", 5432),
  port("Kibana", 5601),
  port("VNC", 5900, { last: 5910 }),
  port("CouchDB", 5984),
  port("WinRM", 5985, { last: 5986 }),
  port("Redis", 6379),
  port("Kubernetes", 6443),
  port("Cassandra", 7000, { last: 7001 }),
  port("InfluxDB", 8086),
  port("an administration page", 8443),
  port("Jupyter", 8888),
  port("an administration page", 9000),
  port("Cassandra", 9042),
  port("Kafka", 9092, lesser),
  port("Elasticsearch", 9200, { last: 9300 }),
  port("kubelet", 10250),
  port("memcached", 11211, both),
  port("RabbitMQ", 15672),
  port("MongoDB", 27017, { last: 27019 }),
];

/** Protocols with ports, by their names and numbers; of an unknown name nothing is known. */
const withPorts: ReadonlySet<string> = new Set(["0", "6", "17", "33", "132", "136"]);
const withoutPorts: ReadonlySet<string> = new Set([
  ...["icmp", "icmpv6", "icmp6", "ipv6-icmp", "igmp", "ipip", "ipencap", "gre", "esp", "ah", "ospf", "vrrp"],
  ...["pgm", "rsvp", "egp", "ipv6-encap", "ipv6-frag", "ipv6-nonxt", "ipv6-opts", "ipv6-route"],
]);

/** Returns true for a protocol with ports. */
export const usesPorts = ({ protocol }: Pick<Opening, "protocol">): boolean =>
  /^\d+$/.test(protocol) ? withPorts.has(protocol) : !withoutPorts.has(protocol);

/** Numbers of the protocols that services use. */
const numbers: { readonly [number: string]: string | undefined } = { 6: "tcp", 17: "udp" };

export const portsIn = ({
  protocol,
  firstPort,
  lastPort,
}: Pick<Opening, "protocol" | "firstPort" | "lastPort">) => {
  const name = numbers[protocol] ?? protocol;
  const isEvery = name !== "tcp" && name !== "udp";
  return sensitivePorts.filter(
    ({ first, last, protocols }) =>
      first <= lastPort && firstPort <= last && (isEvery || protocols.includes(name)),
  );
};

export const isCritical = (ports: readonly SensitivePort[]): boolean => ports.some((one) => one.isCritical);

/** Returns up to four sensitive ports with their services, and the number of the others. */
export function servicesText(ports: readonly SensitivePort[]): Sentence {
  const named = joined(
    ports.slice(0, 4).map(({ first, service }) => say`${word(service)} (${first})`),
    ", ",
  );
  return ports.length > 4 ? say`${named} and ${ports.length - 4} more` : named;
}
