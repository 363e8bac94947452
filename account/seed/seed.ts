import { comparable, plainId, regionOf } from "../../provider/core/krn.ts";
import { hyphenated, spoken } from "../../provider/core/name.ts";
import { conversions } from "./kind.ts";
import { type Converted, derivedUuid, type Entry, krnOf, type Owner, type Row, textIn } from "./row.ts";

/** Inventory with which an emulator begins, made from states and from the objects of an account. */

export interface Seed {
  readonly inventory: {
    readonly version: 1;
    readonly time: string;
    readonly account: string;
    readonly customer: string;
    readonly objects: readonly Row[];
  };
  /** Facts that no entry has and that were invented, each as a clause, sorted. */
  readonly assumed: readonly string[];
}

/** Rows while the seed is made. */
interface Draft {
  readonly owner: Owner;
  /** Rows by their KRN in the spelling by which ids are compared. */
  readonly rows: Map<string, Row>;
  /** Returns the key of a KRN in `rows`. */
  readonly spelled: (krn: string) => string;
  /** Network of each VPC, and addresses of the ports of each subnet, by KRN. */
  readonly networks: Map<string, Row>;
  readonly addresses: Map<string, Set<string>>;
  /** SSH keys by region and name. */
  readonly keys: Map<string, Row>;
  readonly assumed: Set<string>;
}

/** Instance types and public images that every emulator has (docs/emulator.md). */
const catalogueTypes: ReadonlySet<string> = new Set(["c1.small", "c1.medium", "c1.large", "g1.large"]);
const catalogueKey = { name: "demo-key", uuid: "00000000-0000-4000-8000-000000000301" } as const;
const isCatalogueImage = (krn: string): boolean =>
  /:default:default:image:00000000-0000-4000-8000-00000000010[12]$/.test(krn);

/** Kinds of the rows to which fields refer. */
const referred: Readonly<Record<string, string>> = {
  vpc: "vpc",
  network: "network",
  subnet: "subnet",
  securityGroups: "security_group",
  groups: "security_group",
  bootVolume: "volume",
  volume: "volume",
  port: "port",
  reservedPort: "port",
  reservedWith: "floating_ip",
  instance: "instance",
  bucket: "bucket",
  policy: "account_policy",
};

export interface SeedOptions {
  /** Entries of objects that will exist: what they refer to, such as an image, exists too. */
  readonly used?: readonly Entry[];
  /** Rows of an inventory of the account, for objects that no entry has. */
  readonly known?: readonly Row[];
}

/** Makes the seed of entries; of two entries of one object the first counts. The same entries make the same bytes. */
export function seedOf(entries: readonly Entry[], { used = [], known = [] }: SeedOptions = {}): Seed {
  const draft: Draft = {
    owner: ownerIn([...entries, ...used]),
    spelled: speller(),
    rows: new Map(),
    networks: new Map(),
    addresses: new Map(),
    keys: new Map(),
    assumed: new Set(),
  };
  addEntries(draft, entries, known);
  // Templates of batches come from entries only; the objects that rows lack come last, when all that is known is there.
  for (const row of [...draft.rows.values()]) if (row.kind === "instance") completeMember(draft, row);
  for (const row of [...draft.rows.values()]) completeNetwork(draft, row);
  completeFrom(draft, 0);
  const { size } = draft.rows;
  for (const entry of used) completeUsed(draft, entry);
  completeFrom(draft, size);
  for (const row of [...draft.rows.values()]) if (row.kind === "template") nameReferences(draft, row);
  const objects = [...draft.rows.values()].toSorted(
    (a, b) => compare(a.kind, b.kind) || compare(a.krn, b.krn),
  );
  const times = objects.flatMap(({ createdAt, updatedAt }) => [createdAt, updatedAt].filter(isText));
  return {
    inventory: {
      version: 1,
      time: times.toSorted().at(-1) ?? "2000-01-01T00:00:00Z",
      ...draft.owner,
      objects,
    },
    assumed: [...draft.assumed].toSorted(compare),
  };
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
const isText = (value: unknown): value is string => typeof value === "string";

/** Returns account and customer of the first complete KRN. */
function ownerIn(entries: readonly Entry[]): Owner {
  for (const { id, values } of entries)
    for (const text of [id, ...Object.values(values).filter(isText)]) {
      const [, account, customer] = /^krn:[^:]+:[^:]+:(\d+):([\da-f-]{36}):/i.exec(text) ?? [];
      if (account !== undefined && customer !== undefined) return { account, customer };
    }
  return { account: "000000000000", customer: "00000000-0000-4000-8000-000000000000" };
}

/** Returns a function that spells each KRN once, in the spelling by which they are compared. */
function speller(): (krn: string) => string {
  const spelled = new Map<string, string>();
  return (krn) => {
    const known = spelled.get(krn);
    if (known !== undefined) return known;
    const text = comparable(krn);
    spelled.set(krn, text);
    return text;
  };
}

/** Adds the rows of all entries: first the objects, then those of an inventory, then parts and members that neither has. */
function addEntries(draft: Draft, entries: readonly Entry[], known: readonly Row[]): void {
  const { rows, owner, spelled } = draft;
  const converted = entries.map((entry) => conversions[entry.kind]?.(entry, owner) ?? {});
  for (const { rows: made = [] } of converted) for (const row of made) addNew(draft, row);
  for (const row of known) addNew(draft, row);
  const isNew = ({ rows: made = [] }: Converted) => made.every(({ krn }) => !rows.has(spelled(krn)));
  const members = converted.flatMap(({ members: some = [] }) => some).filter(isNew);
  for (const { rows: made = [] } of members) for (const row of made) addNew(draft, row);
  const all = [...converted, ...members];
  for (const { parts = [] } of all) for (const row of parts) addNew(draft, row);
  for (const { changes = [] } of all)
    for (const { krn, fields, when = () => true } of changes) {
      const row = rows.get(spelled(krn));
      if (row !== undefined && when(row)) put(draft, { ...row, ...fields });
    }
  for (const { assumed = [] } of all) for (const fact of assumed) draft.assumed.add(fact);
}

function addNew(draft: Draft, row: Row): void {
  if (!draft.rows.has(draft.spelled(row.krn))) put(draft, row);
}

const find = ({ rows, spelled }: Draft, krn: unknown): Row | undefined =>
  typeof krn === "string" ? rows.get(spelled(krn)) : undefined;

function put({ rows, spelled, networks, addresses, keys }: Draft, row: Row): Row {
  rows.set(spelled(row.krn), row);
  if (row.kind === "network" && !networks.has(String(row.vpc))) networks.set(String(row.vpc), row);
  if (row.kind === "port" && isText(row.ip) && isText(row.subnet)) {
    const used = addresses.get(row.subnet) ?? new Set();
    addresses.set(row.subnet, used.add(row.ip));
  }
  if (row.kind === "ssh_key") keys.set(`${regionIn(row)} ${row.name}`, row);
  return row;
}

/** Adds an invented row, and the fact that it is invented. */
const assume = (draft: Draft, row: Row): Row => {
  draft.assumed.add(`${spoken(hyphenated(row.kind))} ${row.krn}, which is in no state`);
  return put(draft, row);
};

/** Returns the region in the KRN of a row; empty if there is none. */
const regionIn = ({ krn }: Pick<Row, "krn">): string => regionOf(krn) ?? "";

/** Gives a machine of a batch the configuration of the batch's template. */
function completeMember(draft: Draft, row: Row): void {
  if (!("template" in row)) return;
  const { template, ...member } = row;
  const config = (find(draft, template)?.config ?? {}) as Readonly<Record<string, unknown>>;
  put(draft, {
    ...member,
    subnet: member.subnet ?? config.subnet_id,
    instanceType: config.instanceType ?? member.instanceType,
    image: member.image ?? config.image_krn ?? null,
    sshKey: { name: String(config.sshkey_name ?? catalogueKey.name), uuid: "" },
  });
  const port = find(draft, row.port);
  if (port === undefined) return;
  put(draft, {
    ...port,
    subnet: port.subnet ?? config.subnet_id,
    network: port.network ?? config.network_id,
    securityGroups: config.security_groups ?? [],
  });
}

/** Adds the VPC of a row and the network to which the row refers, or that of the VPC. */
function completeNetwork(draft: Draft, row: Row): void {
  if (typeof row.vpc !== "string") return;
  if (find(draft, row.vpc) === undefined)
    assume(draft, { kind: "vpc", krn: row.vpc, name: `vpc-${plainId(row.vpc).slice(0, 8)}` });
  if (isText(row.network) && find(draft, row.network) === undefined)
    assume(draft, { kind: "network", krn: row.network, name: "network", vpc: row.vpc });
}

/** Returns the network of a VPC, which is invented if no row has it. */
function networkOf(draft: Draft, vpc: unknown): Row {
  const known = draft.networks.get(String(vpc));
  if (known !== undefined) return known;
  const krn = krnOf(
    draft.owner,
    "vpc:network",
    regionIn({ krn: String(vpc) }),
    derivedUuid(`network ${vpc}`),
  );
  return assume(draft, { kind: "network", krn, name: "network", vpc });
}

/** Completes the rows from a position on, and those that are added meanwhile. */
function completeFrom(draft: Draft, start: number): void {
  let position = 0;
  for (const row of draft.rows.values()) {
    if (position >= start) complete(draft, row);
    position += 1;
  }
}

/** Adds everything to which a row refers and that no row has. */
function complete(draft: Draft, row: Row): void {
  if (row.kind === "vpc") networkOf(draft, row.krn);
  let changed = row;
  if (["port", "instance", "floating_ip"].includes(row.kind)) changed = withPlace(draft, row);
  if (changed.kind === "instance") changed = withKey(draft, changed);
  for (const field of Object.keys(changed)) {
    const kind = referred[field];
    if (kind === undefined) continue;
    const value = changed[field];
    const found = (Array.isArray(value) ? value : [value]).map((krn) =>
      isText(krn) ? (find(draft, krn) ?? invented(draft, kind, krn, changed)).krn : krn,
    );
    changed = { ...changed, [field]: Array.isArray(value) ? found : found[0] };
  }
  if (changed.kind === "instance") {
    useImage(draft, changed.image);
    useType(draft, changed.instanceType, regionIn(changed));
  }
  put(draft, changed);
}

/** Fills in the subnet, the network and the addresses that a row of a subnet lacks. */
function withPlace(draft: Draft, row: Row): Row {
  const subnet = isText(row.subnet)
    ? row.subnet
    : krnOf(draft.owner, "vpc:subnet", regionIn(row), derivedUuid(`subnet ${row.vpc}`));
  const inSubnet = { ...row, subnet };
  if (row.kind !== "port") return inSubnet;
  const network = isText(row.network) && row.network !== "" ? row.network : networkOf(draft, row.vpc).krn;
  if (isText(row.ip)) return { ...inSubnet, network };
  const { cidr } = find(draft, subnet) ?? invented(draft, "subnet", subnet, inSubnet);
  draft.assumed.add(`the address of the port ${row.krn}`);
  return { ...inSubnet, network, ip: freeAddress(draft, subnet, String(cidr)) };
}

/** Returns an address at the end of a subnet that no port has. */
function freeAddress({ addresses }: Draft, subnet: string, cidr: string): string {
  const used = addresses.get(subnet) ?? new Set();
  const [base = "", prefix = "24"] = cidr.split("/");
  if (base.includes(":")) {
    const start = base.replace(/:*$/, "::");
    return (
      numbers(65_000)
        .map((number) => `${start}${number.toString(16)}`)
        .find((ip) => !used.has(ip)) ?? start
    );
  }
  const first = base.split(".").reduce((sum, part) => sum * 256 + Number(part), 0);
  const last = first + 2 ** (32 - Number(prefix)) - 2;
  const ips = numbers(Math.max(last - first, 1)).map((back) => dotted(last + 1 - back));
  return ips.find((ip) => !used.has(ip)) ?? dotted(last);
}

const numbers = (count: number): number[] =>
  Array.from({ length: Math.min(count, 65_000) }, (_, index) => index + 1);
const dotted = (address: number): string =>
  [24, 16, 8, 0].map((shift) => (address / 2 ** shift) & 255).join(".");

/** Fills in the UUID of an instance's SSH key. */
function withKey(draft: Draft, row: Row): Row {
  const { name } = row.sshKey as { readonly name: string };
  return { ...row, sshKey: { name: name || catalogueKey.name, uuid: useKey(draft, name, regionIn(row)) } };
}

/** Returns the UUID of the SSH key of a name, which is invented if no row has it. */
function useKey(draft: Draft, name: string, region: string): string {
  if (name === "" || name === catalogueKey.name) return catalogueKey.uuid;
  const known = draft.keys.get(`${region} ${name}`);
  if (known !== undefined) return plainId(known.krn);
  const krn = krnOf(draft.owner, "ssh:sshkey", region, derivedUuid(`key ${region} ${name}`));
  return plainId(assume(draft, { kind: "ssh_key", krn, name, publicKey: "ssh-ed25519 AAAA unknown" }).krn);
}

function useImage(draft: Draft, krn: unknown): void {
  if (!isText(krn) || krn === "" || isCatalogueImage(krn) || find(draft, krn) !== undefined) return;
  assume(draft, { kind: "image", krn, name: `image-${plainId(krn).slice(0, 8)}` });
}

function useType(draft: Draft, name: unknown, region: string): void {
  if (!isText(name) || catalogueTypes.has(name)) return;
  const krn = krnOf(draft.owner, "vm:flavor", region, derivedUuid(`type ${name}`));
  if (find(draft, krn) !== undefined) return;
  put(draft, { kind: "instance_type", krn, name });
  draft.assumed.add(`the size of the instance type ${name}`);
}

/** Adds the objects outside of all states that a planned object uses. */
function completeUsed(draft: Draft, { kind, region, values }: Entry): void {
  const image =
    textIn(values, "imageKrn") ?? (values.bootVolume as { readonly imageKrn?: unknown } | null)?.imageKrn;
  if (kind !== "ai-pod") useType(draft, values.instanceType, region);
  useImage(draft, image);
  const key = textIn(values, "sshkeyName");
  if (key !== undefined) useKey(draft, key, region);
  const place = { kind: "", krn: `krn::${region}`, name: "", vpc: textIn(values, "vpcId") };
  completeNetwork(draft, place);
  for (const [field, target] of Object.entries(usedFields))
    for (const krn of [values[field]].flat().filter(isText))
      if (krn.startsWith("krn:") && find(draft, krn) === undefined) invented(draft, target, krn, place);
}

/** Kinds of the rows to which the fields of definitions refer. */
const usedFields: Readonly<Record<string, string>> = {
  subnetId: "subnet",
  securityGroups: "security_group",
  securityGroupId: "security_group",
  volumeId: "volume",
  instanceId: "instance",
  portId: "port",
  bucketId: "bucket",
  policyId: "account_policy",
};

/** Adds an invented row of a kind for a KRN to which another row refers. */
function invented(draft: Draft, kind: string, krn: string, { vpc, ...from }: Row): Row {
  const name = `${hyphenated(kind)}-${plainId(krn).slice(0, 8)}`;
  const row = { kind, krn, name };
  const place = isText(vpc) ? vpc : krnOf(draft.owner, "vpc:vpc", regionIn(row), derivedUuid("vpc"));
  const inVpc = { ...row, vpc: place };
  completeNetwork(draft, inVpc);
  switch (kind) {
    case "subnet":
      return assume(draft, { ...inVpc, cidr: cidrAround(draft, krn, from.ip) });
    case "volume":
      return assume(draft, { ...inVpc, size: 1, volumeType: "ssd" });
    case "port":
      return assume(draft, { ...inVpc, ...(isText(from.subnet) && { subnet: from.subnet }) });
    case "floating_ip":
      return assume(draft, { ...inVpc, address: "203.0.113.1", reservedPort: from.krn, port: from.krn });
    case "instance":
      return assume(draft, {
        ...inVpc,
        port: krnOf(draft.owner, "vpc:port", regionIn(row), derivedUuid(`port of ${krn}`)),
        bootVolume: krnOf(draft.owner, "kbs:volume", regionIn(row), derivedUuid(`volume of ${krn}`)),
        instanceType: "c1.small",
        sshKey: catalogueKey,
      });
    case "account_policy":
      return assume(draft, { ...row, statements: "[]" });
    case "vpc":
    case "bucket":
      return assume(draft, row);
    default:
      return assume(draft, inVpc);
  }
}

/** Returns a CIDR with a known address of the subnet, else one of its own. */
function cidrAround({ rows, addresses }: Draft, subnet: string, ip: unknown): string {
  const ips = [ip, ...(addresses.get(subnet) ?? [])];
  const [known] = ips.filter(isText).filter((text) => /^\d+(\.\d+){3}$/.test(text));
  if (known !== undefined) return known.replace(/\d+$/, "0/24");
  const count = [...rows.values()].filter((row) => row.kind === "subnet").length;
  return `10.${200 + Math.floor(count / 250)}.${count % 250}.0/24`;
}

/** Gives a template the names of the objects to which it refers. */
function nameReferences(draft: Draft, row: Row): void {
  const config = row.config as Readonly<Record<string, unknown>>;
  const network = isText(config.network_id) && config.network_id !== "" ? config.network_id : undefined;
  const nameOf = (krn: unknown): string => find(draft, krn)?.name ?? "";
  const networkId = network ?? (find(draft, config.vpc_id) ? networkOf(draft, config.vpc_id).krn : "");
  useImage(draft, config.image_krn);
  useType(draft, config.instanceType, regionIn(row));
  useKey(draft, String(config.sshkey_name ?? ""), regionIn(row));
  put(draft, {
    ...row,
    config: {
      ...config,
      network_id: networkId,
      vpc_name: nameOf(config.vpc_id),
      network_name: nameOf(networkId),
      subnet_name: nameOf(config.subnet_id),
      security_group_names: (config.security_groups as readonly unknown[]).map(nameOf),
      image_name: config.image_name || nameOf(config.image_krn),
    },
  });
}
