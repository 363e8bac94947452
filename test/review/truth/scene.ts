import type { Item, Stack, Written, WrittenValue } from "../../adapter/adapter.ts";
import { createDraw, type Draw } from "../../simulation/draw.ts";
import { checkpointGroup, keyActionGroup, powerActionGroup } from "./action-group.ts";
import { concealmentsOf } from "./conceal.ts";
import type { EngineName } from "./engine.ts";
import {
  changed,
  cloudName,
  edited,
  type Group,
  type GroupOf,
  given,
  inNetwork,
  item,
  machineItem,
  of,
  ubuntu,
  volumeItem,
} from "./part.ts";
import type { Version } from "./program.ts";
import { ageGroup, policyGroup, publicObjectGroup, secretGroup, statementGroup } from "./storage-group.ts";

/**
 * Stacks and edits drawn by seed. A stack consists of groups of objects that do not refer to each other, so that one
 * plan shows many dangers; each group is drawn together with its edit.
 */

/** Stack with an edit. */
export interface Scene extends Required<Pick<Group, "foreign" | "hidden" | "secrets">> {
  readonly before: Version;
  readonly after: Version;
}

/** Returns a rule of a group of the base that allows every address to reach these ports. */
const openRule = (group: string, first: number, last: number): Item =>
  item(`${group}_rule`, "security-group-rule", {
    ...inNetwork,
    securityGroupId: of(group),
    direction: "ingress",
    protocol: "tcp",
    portRangeMin: first,
    portRangeMax: last,
    remoteIpPrefix: "0.0.0.0/0",
  });

/** Objects that groups refer to. No edit changes them. */
const base: Stack = [
  item("net", "vpc", { name: "net" }),
  item("front", "subnet", { ...inNetwork, name: "front", cidr: "10.0.1.0/24" }),
  item("closed", "security-group", { ...inNetwork, name: "closed" }),
  item("web", "security-group", { ...inNetwork, name: "web" }),
  item("login", "security-group", { ...inNetwork, name: "login" }),
  item("any", "security-group", { ...inNetwork, name: "any" }),
  openRule("web", 443, 443),
  openRule("login", 22, 22),
  openRule("any", 1, 65_535),
];

/** Returns the volume with another value in a field that changes in place. */
const volumeInPlace = (draw: Draw, one: Item): Item =>
  changed(
    one,
    draw.pick([
      { sizeGb: Number(one.inputs.sizeGb) + 5 },
      { name: `${cloudName(one.name)}-b` },
      { metadata: { team: "data", tier: "cold" } },
      { volumeType: one.inputs.volumeType === "ssd" ? "standard" : "ssd" },
    ]),
  );

/** Returns the volume with another value in a field that replaces it. */
const volumeReplaced = (draw: Draw, one: Item): Item =>
  changed(
    one,
    draw.pick([
      { availabilityZone: "nova-2" },
      { multiattach: one.inputs.multiattach === true ? undefined : true },
      { source: { id: ubuntu, type: "image" } },
    ]),
  );

const volumeGroup: GroupOf = (draw, id) => {
  const disk = volumeItem(draw, `${id}_disk`);
  return edited(draw, ["delete", "delete", "replace", "update", "update", "none", "create"], [disk], {
    delete: () => [],
    replace: () => [volumeReplaced(draw, disk)],
    update: () => [volumeInPlace(draw, disk)],
    create: () => ({ before: [], after: [disk] }),
  });
};

/** Returns the instance with another value in a field that replaces it, which may be the flag of its boot volume too. */
const machineReplaced = (draw: Draw, one: Item): Item =>
  changed(one, {
    ...draw.pick<Readonly<Record<string, WrittenValue | undefined>>>([
      { name: `${cloudName(one.name)}-b` },
      { instanceType: "c1.large" },
      { userData: "#!/bin/sh\necho another\n" },
      { tags: { team: "orders" } },
      { isGpu: true },
    ]),
    ...(draw.chance(0.3) && "bootVolume" in one.inputs
      ? { deleteOnTermination: draw.pick([true, false]) }
      : {}),
  });

/** Returns the instance with a change in place that interrupts nothing. */
const machineInPlace = (draw: Draw, one: Item): Item =>
  changed(
    one,
    draw.pick<Readonly<Record<string, WrittenValue | undefined>>>([
      { deleteOnTermination: one.inputs.deleteOnTermination === false },
      { restartWhenChanged: { by: "hand" } },
    ]),
  );

const machineGroup: GroupOf = (draw, id) => {
  const machine = machineItem(draw, `${id}_host`);
  return edited(
    draw,
    ["delete", "delete", "replace", "replace", "address", "update", "none", "create"],
    [machine],
    {
      delete: () => [],
      replace: () => [machineReplaced(draw, machine)],
      address: () => [
        changed(machine, { floatingIp: machine.inputs.floatingIp === true ? undefined : true }),
      ],
      update: () => [machineInPlace(draw, machine)],
      create: () => ({ before: [], after: [machine] }),
    },
  );
};

/** Changes of the power state of instances and pods: inputs before and after. */
const powerEdits: readonly (readonly [Written, Written])[] = [
  [{ powerState: "running" }, { powerState: "stopped" }],
  [{}, { powerState: "stopped" }],
  [{ powerState: "stopped" }, { powerState: "running" }],
  [{ powerState: "running" }, {}],
  [{}, { powerState: "running" }],
  [{ restartWhenChanged: { by: "a" } }, { restartWhenChanged: { by: "b" } }],
  [
    { powerState: "running", restartWhenChanged: { by: "a" } },
    { powerState: "running", restartWhenChanged: { by: "b" } },
  ],
  [{}, { restartWhenChanged: { by: "a" } }],
  [{ restartWhenChanged: { by: "a" } }, {}],
  [
    { powerState: "stopped", restartWhenChanged: { by: "a" } },
    { powerState: "running", restartWhenChanged: { by: "b" } },
  ],
  [
    { powerState: "running", restartWhenChanged: { by: "a" } },
    { powerState: "stopped", restartWhenChanged: { by: "b" } },
  ],
];

const powerGroup: GroupOf = (draw, id) => {
  const machine = changed(machineItem(draw, `${id}_host`), { powerState: undefined });
  const [from, to] = draw.pick(powerEdits);
  return { before: [changed(machine, from)], after: [changed(machine, to)] };
};

/** Instance that boots from a separate volume. */
const existingBootGroup: GroupOf = (draw, id) => {
  const disk = volumeItem(draw, `${id}_system`);
  const machine = changed(machineItem(draw, `${id}_host`), {
    bootVolume: undefined,
    deleteOnTermination: draw.pick([undefined, false]),
    volumeId: of(disk.name),
  });
  const before = [changed(disk, { multiattach: undefined }), machine];
  const [first = disk] = before;
  return edited(draw, ["machine", "both", "replace", "volume", "update"], before, {
    machine: () => [first],
    both: () => [],
    replace: () => [first, machineReplaced(draw, machine)],
    volume: () => [changed(first, { availabilityZone: "nova-2" }), machine],
    update: () => [changed(first, { metadata: { team: "data" } }), machine],
  });
};

/** Instance with another volume attached. */
const attachmentGroup: GroupOf = (draw, id) => {
  const disk = changed(volumeItem(draw, `${id}_data`), { multiattach: undefined });
  // Nothing is written to a volume of a stopped instance.
  const machine = changed(
    machineItem(draw, `${id}_host`),
    draw.chance(0.35) ? { powerState: "stopped" } : {},
  );
  const other = machineItem(draw, `${id}_other`);
  const attachment = item(`${id}_held`, "volume-attachment", {
    ...inNetwork,
    volumeId: of(disk.name),
    instanceId: of(machine.name),
  });
  const before = [disk, machine, attachment];
  return edited(
    draw,
    ["detach", "machine", "replace", "volume", "device", "move", "move", "none", "attach"],
    before,
    {
      detach: () => [disk, machine],
      move: () => ({
        before: [...before, other],
        after: [disk, machine, other, changed(attachment, { instanceId: of(other.name) })],
      }),
      machine: () => [disk],
      replace: () => [disk, machineReplaced(draw, machine)],
      volume: () => [machine],
      device: () => [disk, machine, changed(attachment, { mountPartition: "/dev/vdy" })],
      attach: () => ({ before: [disk, machine], after: before }),
    },
  );
};

/** Instance with a public address, by its port or by one that is created for it. */
const addressGroup: GroupOf = (draw, id) => {
  const hasPort = draw.chance(0.4);
  const port = item(`${id}_port`, "port", {
    ...inNetwork,
    name: cloudName(`${id}_port`),
    subnetId: of("front"),
  });
  const machine = changed(machineItem(draw, `${id}_host`), {
    floatingIp: undefined,
    ...(hasPort ? { portId: of(port.name) } : {}),
  });
  const address = item(`${id}_address`, "floating-ip", {
    ...inNetwork,
    name: cloudName(`${id}_address`),
    subnetId: of("front"),
    portId: hasPort ? of(port.name) : of(machine.name, "portId"),
  });
  const ports = hasPort ? [port] : [];
  const before = [...ports, machine, address];
  const free = changed(address, { portId: undefined });
  const other = item(`${id}_other`, "port", {
    ...inNetwork,
    name: cloudName(`${id}_other`),
    subnetId: of("front"),
  });
  const edits = [
    "machine",
    "address",
    "both",
    "replace",
    "rename",
    "release",
    "move",
    "move",
    "attach",
    "none",
  ];
  switch (draw.pick(edits)) {
    case "move":
      return {
        before: [other, ...before],
        after: [other, ...ports, machine, changed(address, { portId: of(other.name) })],
      };
    case "attach":
      return { before: [...ports, machine, free], after: before };
    case "none":
      return { before, after: before };
    case "machine":
      return { before, after: [...ports, hasPort ? address : free] };
    case "address":
      return { before, after: [...ports, machine] };
    case "both":
      return { before, after: ports };
    case "replace":
      return { before, after: [...ports, machineReplaced(draw, machine), address] };
    case "rename":
      return { before, after: [...ports, machine, changed(address, { name: cloudName(`${id}_other`) })] };
    default:
      return { before, after: [...ports, machine, free] };
  }
};

/** Public address without an instance. */
const reservedGroup: GroupOf = (draw, id) => {
  const address = item(`${id}_address`, "floating-ip", {
    ...inNetwork,
    name: cloudName(`${id}_address`),
    subnetId: of("front"),
  });
  return edited(draw, ["delete", "rename", "none", "create"], [address], {
    delete: () => [],
    rename: () => [changed(address, { name: cloudName(`${id}_other`) })],
    create: () => ({ before: [], after: [address] }),
  });
};

const ports = [
  [22, 22],
  [443, 443],
  [80, 80],
  [5432, 5432],
  [8000, 8010],
  [1000, 2000],
  [20, 30],
] as const;

const narrow = ["10.0.0.0/8", "10.1.0.0/16", "192.0.2.0/24", "198.51.100.7/32", "172.16.0.0/12"];

function ruleItem(draw: Draw, name: string, group: string, range: string): Item {
  const protocol = draw.pick(["tcp", "tcp", "tcp", "udp", "all", "icmp"]);
  const [first, last] = draw.pick(ports);
  const isIpv6 = range.includes(":");
  return item(name, "security-group-rule", {
    ...inNetwork,
    securityGroupId: of(group),
    direction: draw.chance(0.85) ? "ingress" : "egress",
    protocol,
    ...(isIpv6 ? { ethertype: "IPv6" } : {}),
    ...(protocol === "all" && draw.chance(0.5) ? {} : { portRangeMin: first, portRangeMax: last }),
    remoteIpPrefix: range,
  });
}

const anyRange = (draw: Draw): string =>
  draw.chance(0.5)
    ? draw.pick(["0.0.0.0/0", "0.0.0.0/0", "0.0.0.0/0", "0.0.0.0/1", "::/0"])
    : draw.pick(narrow);

/** Security group with rules, of which some are added, changed or removed. */
const ruleGroup: GroupOf = (draw, id) => {
  const group = item(`${id}_group`, "security-group", { ...inNetwork, name: cloudName(`${id}_group`) });
  const spare = item(`${id}_spare`, "security-group", { ...inNetwork, name: cloudName(`${id}_spare`) });
  const before: Item[] = [];
  const after: Item[] = [];
  const count = draw.int(2, 4);
  for (let nth = 0; nth < count; nth++) {
    const name = `${id}_rule${nth}`;
    const old = ruleItem(draw, name, group.name, anyRange(draw));
    switch (draw.pick(["add", "add", "range", "ports", "protocol", "move", "remove", "keep"])) {
      case "add":
        after.push(old);
        break;
      case "range":
        before.push(old);
        after.push(changed(ruleItem(draw, name, group.name, anyRange(draw)), onlyRange(old)));
        break;
      case "ports": {
        const [first, last] = draw.pick(ports);
        before.push(old);
        after.push(changed(old, { portRangeMin: first, portRangeMax: last }));
        break;
      }
      case "protocol":
        before.push(old);
        after.push(changed(old, { protocol: "tcp", portRangeMin: 22, portRangeMax: 22 }));
        break;
      case "move":
        before.push(old);
        after.push(changed(old, { securityGroupId: of(spare.name) }));
        break;
      case "remove":
        before.push(old);
        break;
      default:
        before.push(old);
        after.push(old);
    }
  }
  const isRenamed = draw.chance(0.1);
  const next = isRenamed ? changed(group, { name: cloudName(`${id}_other`) }) : group;
  return { before: [group, spare, ...before], after: [next, spare, ...after] };
};

/** Returns the inputs of a rule without its range and the address family. */
const onlyRange = ({ inputs }: Item): Readonly<Record<string, WrittenValue | undefined>> => ({
  direction: inputs.direction,
  protocol: inputs.protocol,
  portRangeMin: inputs.portRangeMin,
  portRangeMax: inputs.portRangeMax,
});

/** Returns the ranges of an equal length that a draw selects from the whole address space. */
function rangesOf(draw: Draw): string[] {
  switch (draw.pick(["halves", "quarters", "parts", "IPv6"])) {
    case "halves":
      return ["0.0.0.0/1", "128.0.0.0/1"];
    case "quarters":
      return ["0.0.0.0/2", "64.0.0.0/2", "128.0.0.0/2"];
    case "parts": {
      // Of 32 ranges, each has a thirtieth of the public addresses.
      const count = draw.pick([1, 3, 8, 16]);
      const first = draw.int(2, 26 - count);
      return Array.from({ length: count }, (_, nth) => `${(first + nth) * 8}.0.0.0/5`);
    }
    default:
      return ["2000::/4", "3000::/4"];
  }
}

/**
 * Rules for the same ports: ranges that only together are open to many addresses, of which some may already exist, or every
 * address and a part of it.
 */
const sumGroup: GroupOf = (draw, id) => {
  const group = item(`${id}_group`, "security-group", { ...inNetwork, name: cloudName(`${id}_group`) });
  const ranges = rangesOf(draw);
  const first = ruleItem(draw, `${id}_part0`, group.name, ranges[0] ?? "");
  const parts = ranges.map((range, nth) =>
    changed({ ...first, name: `${id}_part${nth}` }, { remoteIpPrefix: range }),
  );
  const existing = parts.slice(0, draw.int(0, parts.length - 1));
  return edited(draw, ["new", "existing", "existing", "part"], [group], {
    new: () => [group, ...parts],
    existing: () => ({ before: [group, ...existing], after: [group, ...parts] }),
    part: () => {
      const part = changed(first, {
        remoteIpPrefix: first.inputs.ethertype === "IPv6" ? "2600::/12" : "8.0.0.0/8",
      });
      const whole = changed(
        { ...first, name: `${id}_whole` },
        { remoteIpPrefix: first.inputs.ethertype === "IPv6" ? "::/0" : "0.0.0.0/0" },
      );
      return [group, part, whole];
    },
  });
};

/** Instance or port whose groups change. */
const joinGroup: GroupOf = (draw, id) => {
  const lists = [
    ...[["closed"], ["web"], ["login"], ["any"], ["closed", "web"], ["closed", "login"], ["closed", "any"]],
    ...[
      ["web", "login"],
      ["web", "any"],
      ["login", "any"],
    ],
  ];
  const [from, to] = [draw.pick(lists), draw.pick(lists)];
  const refs = (names: readonly string[]) => names.map((name) => of(name));
  const kind = draw.pick(["instance", "instance", "new", "port", "list"]);
  const machine = changed(machineItem(draw, `${id}_host`), { floatingIp: undefined });
  if (kind === "instance")
    return {
      before: [changed(machine, { securityGroups: refs(from) })],
      after: [changed(machine, { securityGroups: refs(to) })],
    };
  if (kind === "new") return { before: [], after: [changed(machine, { securityGroups: refs(to) })] };
  const port = item(`${id}_port`, "port", {
    ...inNetwork,
    name: cloudName(`${id}_port`),
    subnetId: of("front"),
  });
  if (kind === "port")
    return {
      before: [changed(port, { securityGroups: refs(from) })],
      after: [changed(port, { securityGroups: refs(to) })],
    };
  const list = item(`${id}_list`, "port-security-groups", {
    portId: of(port.name),
    securityGroups: refs(from),
  });
  return { before: [port, list], after: [port, changed(list, { securityGroups: refs(to) })] };
};

/** Bucket with objects, of the stack and of other programs, and a policy. */
const bucketGroup: GroupOf = (draw, id) => {
  const edit = draw.pick([
    "delete",
    "delete",
    "rename",
    "public",
    "public",
    "closed",
    "update",
    "object",
    "policy",
    "create",
  ]);
  const isForced = draw.chance(0.5);
  const bucket = item(`${id}_bucket`, "bucket", {
    name: cloudName(`${id}_bucket`),
    ...given({
      forceDestroy: isForced ? true : draw.pick([undefined, false]),
      versioning: draw.chance(0.3) ? true : undefined,
      anonymousAccess: edit === "closed" || draw.chance(0.2) ? true : undefined,
    }),
  });
  const objects = Array.from({ length: draw.int(0, 2) }, (_, nth) =>
    item(`${id}_object${nth}`, "object", {
      bucketId: of(bucket.name),
      key: `${id}/object-${nth}.txt`,
      content: `content ${id} ${nth}`,
    }),
  );
  const policy = item(`${id}_policy`, "bucket-policy", {
    bucketId: of(bucket.name),
    readWriteIps: ["10.0.0.0/24"],
  });
  const policies = edit === "policy" || draw.chance(0.2) ? [policy] : [];
  // The delete of a bucket with objects fails without forceDestroy.
  const isEmptied = edit !== "delete" && edit !== "rename" ? draw.chance(0.3) : isForced;
  const foreign = isEmptied ? [{ bucket: bucket.name, key: "logs/today.txt" }] : [];
  const before = [bucket, ...objects, ...policies];
  switch (edit) {
    case "delete":
      return { before, after: [], foreign };
    case "rename": {
      // The flag in the state applies, not the one that the same change sets.
      const force = draw.pick<WrittenValue | undefined>([bucket.inputs.forceDestroy, true, undefined]);
      const renamed = changed(bucket, { name: cloudName(`${id}_other`), forceDestroy: force });
      return { before, after: [renamed, ...objects, ...policies], foreign };
    }
    case "public":
      return {
        before,
        after: [changed(bucket, { anonymousAccess: true }), ...objects, ...policies],
        foreign,
      };
    case "closed":
      return {
        before,
        after: [changed(bucket, { anonymousAccess: undefined }), ...objects, ...policies],
        foreign,
      };
    case "update":
      return {
        before,
        after: [
          changed(bucket, { tags: { team: "data" }, forceDestroy: !isForced }),
          ...objects,
          ...policies,
        ],
        foreign,
      };
    case "object": {
      const edited = objects.flatMap((one, nth): Item[] => {
        switch (draw.pick(["delete", "content", "key"])) {
          case "delete":
            return [];
          case "content":
            return [changed(one, { content: `another ${id} ${nth}` })];
          default:
            return [changed(one, { key: `${id}/renamed-${nth}.txt` })];
        }
      });
      return { before, after: [bucket, ...edited, ...policies], foreign };
    }
    case "policy":
      return {
        before,
        after: [bucket, ...objects, changed(policy, { readOnlyIps: ["192.0.2.0/24"] })],
        foreign,
      };
    default:
      return { before: [], after: before };
  }
};

const keyGroup: GroupOf = (draw, id) => {
  const key = item(`${id}_key`, "access-key", { name: cloudName(`${id}_key`) });
  return edited(draw, ["delete", "rotate", "create"], [key], {
    delete: () => [],
    rotate: () => [changed(key, { rotateWhenChanged: { month: "2" } })],
    create: () => ({ before: [], after: [key] }),
  });
};

/** Reason of a danger that depends on a value in no plan. */
const unknownValue = "unknown value: the template decides which ports of the pod are open";

const podGroup: GroupOf = (draw, id) => {
  const pod = item(`${id}_pod`, "ai-pod", {
    name: cloudName(`${id}_pod`),
    templateId: 1,
    instanceType: "p1.small",
    sshkeyName: "demo-key",
    volumeDiskSizeGb: 50,
    exposeHttpPorts: draw.pick([[], [80], [8888]]),
    exposeTcpPorts: draw.pick([[], [], [22]]),
    ...given({ jupyterNotebook: draw.chance(0.2) ? true : undefined }),
  });
  return edited(
    draw,
    ["delete", "replace", "replace", "power", "power", "none", "create", "create", "template"],
    [pod],
    {
      delete: () => [],
      replace: () => [
        changed(
          pod,
          draw.pick<Readonly<Record<string, WrittenValue | undefined>>>([
            { name: cloudName(`${id}_other`) },
            { volumeDiskSizeGb: 60 },
            { exposeHttpPorts: [80, 443] },
            { sshAccess: true },
            { exposeTcpPorts: [] },
          ]),
        ),
      ],
      power: () => {
        const [from, to] = draw.pick(powerEdits);
        return { before: [changed(pod, from)], after: [changed(pod, to)] };
      },
      create: () => ({ before: [], after: [pod] }),
      template: () =>
        draw.chance(0.25)
          ? {
              before: [],
              after: [
                changed(pod, {
                  exposeHttpPorts: undefined,
                  exposeTcpPorts: undefined,
                  jupyterNotebook: undefined,
                }),
              ],
              hidden: { [pod.name]: { opened: unknownValue } },
            }
          : { before: [pod], after: [pod] },
    },
  );
};

const batchGroup: GroupOf = (draw, id) => {
  const template = item(`${id}_template`, "instance-template", {
    ...inNetwork,
    name: cloudName(`${id}_template`),
    subnetId: of("front"),
    instanceType: "c1.small",
    sshkeyName: "demo-key",
    securityGroups: [of("closed")],
    bootVolume: { imageKrn: ubuntu, sizeGb: 10, volumeType: "ssd" },
  });
  const batch = item(`${id}_batch`, "instance-batch", {
    ...inNetwork,
    name: cloudName(`${id}_batch`),
    templateId: of(template.name),
    machineCount: 2,
    ...given({ deleteOnTermination: draw.pick([undefined, true, false]) }),
  });
  const before = [template, batch];
  return edited(
    draw,
    ["shrink", "shrink", "shrink and flag", "grow", "flag", "delete", "replace", "template"],
    before,
    {
      shrink: () => [template, changed(batch, { machineCount: 1 })],
      "shrink and flag": () => [
        template,
        changed(batch, { machineCount: 1, deleteOnTermination: draw.pick([true, false]) }),
      ],
      grow: () => [template, changed(batch, { machineCount: 3 })],
      flag: () => [
        template,
        changed(batch, { deleteOnTermination: batch.inputs.deleteOnTermination === false }),
      ],
      delete: () => [template],
      replace: () => [template, changed(batch, { name: cloudName(`${id}_other`) })],
      template: () => [changed(template, { instanceType: "c1.large" }), batch],
    },
  );
};

/** Subnet with its objects. */
const subnetGroup: GroupOf = (draw, id) => {
  const nth = Number(id.slice(1));
  const subnet = item(`${id}_subnet`, "subnet", {
    ...inNetwork,
    name: cloudName(`${id}_subnet`),
    cidr: `10.0.${100 + nth}.0/24`,
  });
  const machine = changed(machineItem(draw, `${id}_host`), { subnetId: of(subnet.name) });
  const address = item(`${id}_address`, "floating-ip", {
    ...inNetwork,
    name: cloudName(`${id}_address`),
    subnetId: of(subnet.name),
  });
  const before = [subnet, machine, ...(draw.chance(0.5) ? [address] : [])];
  return edited(draw, ["replace", "delete", "empty"], before, {
    replace: () =>
      before.map((one) => (one === subnet ? changed(subnet, { cidr: `10.0.${150 + nth}.0/24` }) : one)),
    delete: () => [],
    empty: () => [subnet],
  });
};

/** VPC with a subnet, a security group and an instance. */
const vpcGroup: GroupOf = (draw, id) => {
  const vpc = item(`${id}_vpc`, "vpc", { name: cloudName(`${id}_vpc`) });
  const inside = { vpcId: of(vpc.name) };
  const subnet = item(`${id}_subnet`, "subnet", {
    ...inside,
    name: cloudName(`${id}_subnet`),
    cidr: "10.0.1.0/24",
  });
  const group = item(`${id}_group`, "security-group", { ...inside, name: cloudName(`${id}_group`) });
  const machine = changed(machineItem(draw, `${id}_host`), {
    ...inside,
    subnetId: of(subnet.name),
    securityGroups: [of(group.name)],
    // A remaining boot volume would block the delete of the VPC.
    deleteOnTermination: draw.pick([undefined, true]),
  });
  const disk = changed(volumeItem(draw, `${id}_disk`), inside);
  const rule = changed(ruleItem(draw, `${id}_rule`, group.name, anyRange(draw)), inside);
  const before = [vpc, subnet, group, machine, disk, rule];
  return edited(draw, ["delete", "replace", "empty"], before, {
    delete: () => [],
    replace: () =>
      before.map((one) => (one === vpc ? changed(vpc, { name: cloudName(`${id}_other`) }) : one)),
    empty: () => [vpc, subnet, group],
  });
};

/** Image of an instance. */
const imageGroup: GroupOf = (draw, id) => {
  const machine = changed(machineItem(draw, `${id}_host`), { powerState: undefined });
  const image = item(`${id}_image`, "image", {
    name: cloudName(`${id}_image`),
    instanceId: of(machine.name),
  });
  return edited(draw, ["delete", "replace", "create"], [machine, image], {
    delete: () => [machine],
    replace: () => [machine, changed(image, { description: "As of today" })],
    create: () => ({ before: [machine], after: [machine, image] }),
  });
};

/** Kinds of groups, each repeated by its relative frequency. */
const groups: readonly GroupOf[] = [
  ...[volumeGroup, volumeGroup, machineGroup, machineGroup, existingBootGroup, batchGroup, batchGroup],
  ...[powerGroup, powerGroup, powerGroup, imageGroup, podGroup, podGroup, podGroup, subnetGroup, vpcGroup],
  ...[attachmentGroup, attachmentGroup, attachmentGroup, attachmentGroup, attachmentGroup],
  ...[addressGroup, addressGroup, addressGroup, addressGroup, reservedGroup, reservedGroup],
  ...[ruleGroup, ruleGroup, sumGroup, joinGroup, joinGroup, joinGroup],
  ...[bucketGroup, bucketGroup, keyGroup, keyGroup, keyGroup, keyGroup, keyGroup],
  ...[ageGroup, ageGroup, ageGroup, ageGroup, ageGroup, ageGroup, ageGroup, ageGroup, ageGroup, ageGroup],
  ...[policyGroup, policyGroup, publicObjectGroup, publicObjectGroup, statementGroup, secretGroup],
  ...[powerActionGroup, powerActionGroup, powerActionGroup, powerActionGroup, powerActionGroup],
  ...[powerActionGroup, powerActionGroup, powerActionGroup, powerActionGroup, powerActionGroup],
];

/** Draws a stack with an edit for an engine: of one to three groups, or of many. */
export function drawScene(seed: number, engine: EngineName): Scene {
  const draw = createDraw(`truth ${seed}`);
  const count = draw.chance(0.2) ? draw.int(1, 3) : draw.int(34, 46);
  const drawn =
    // The action deletes every key of the account.
    engine === "terraform" && draw.chance(0.06)
      ? [keyActionGroup]
      : [
          ...Array.from({ length: count }, () => draw.pick(groups)),
          ...(draw.chance(0.3) ? [checkpointGroup(draw.int(0, 2))] : []),
        ];
  const parts = drawn.map((group, nth) => group(draw.fork(`group ${nth}`), `g${nth}`, engine));
  const version = (turn: 0 | 1): Version => ({
    stack: [...base, ...parts.flatMap((part) => (turn === 0 ? part.before : part.after))],
    concealments: Object.fromEntries(
      parts.flatMap((part, nth) => [...concealmentsOf(draw.fork(`concealments ${nth}`), part)]),
    ),
    actions: turn === 0 ? [] : parts.flatMap(({ actions = [] }) => actions),
    outputs: turn === 0 ? [] : parts.flatMap(({ outputs = [] }) => outputs),
    moves: {},
    turn,
  });
  return {
    before: version(0),
    after: version(1),
    foreign: parts.flatMap(({ foreign = [] }) => foreign),
    hidden: Object.assign({}, ...parts.map(({ hidden = {} }) => hidden)),
    secrets: Object.assign({}, ...parts.map(({ secrets = {} }) => secrets)),
  };
}
