import type { Values } from "../../provider/value.ts";
import type { Draw } from "./draw.ts";
import type { Row } from "./row.ts";
import { secrets } from "./secret.ts";

/** Stands in inputs for the id of the object at another address of the stack. */
export interface Ref {
  readonly ref: string;
}
/** What a user writes, with references. */
export interface Written {
  readonly [field: string]: Written | Ref | string | number | boolean | readonly (Written | Ref | string)[];
}

/** What the generator has to know of a resource. */
export interface Noun {
  /** The nouns that it refers to; the first is what it lives in. */
  readonly needs: readonly string[];
  /** Inputs of a new object, the `nth` of the schedule, with the objects that it refers to. */
  readonly make: (draw: Draw, nth: number, refs: Readonly<Record<string, Ref>>) => Written;
  /**
   * Whether a new one may refer to this object, to which so many `others` of its kind refer, or which is the `newest`
   * of all. Default: yes.
   */
  readonly takes?: (
    need: { readonly resource: string; readonly inputs: Written },
    place: { readonly others: number; readonly newest: boolean },
  ) => boolean;
  /** Other inputs for the same address: what is changed in place and what replaces. */
  readonly vary: (draw: Draw, inputs: Written, nth: number) => Written;
  /** Inputs for another object that takes its place, while it may still be there. Default: another name; null: none can. */
  readonly successor?: ((inputs: Written, nth: number) => Written) | null;
  /** Whether a row of its kind is what the inputs make, beyond its place. Default: the same name. */
  readonly is?: (row: Row, inputs: Values) => boolean;
  /** The emulator's word for it, where that is another one. */
  readonly kind?: string;
  /** Its first parent is no VPC. */
  readonly homeless?: true;
  /** Nothing shows what is there: two may come of an unclear answer, and what nobody knows of may stay. */
  readonly blind?: true;
  /** What somebody else changes, in the emulator's words. */
  readonly drift?: (draw: Draw) => Readonly<Record<string, unknown>>;
}

const types = ["standard", "ssd", "HNSS"];
const keys = ["AIDv649", "AIDv640"].map(
  (part) => `ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAA${part}RFD38FiJfVSzmkqTE5Lfkm/3FWshG5nK9YVL3+`,
);
const image = "krn:vm:In-Bangalore-1:default:default:image:00000000-0000-4000-8000-000000000101";

const deployment = {
  easydeployType: "assistant",
  gatewayPassword: secrets.gatewayPassword,
  modelName: "small",
  modelApiKey: secrets.modelApiKey,
};

/** One row a resource, under its name; a resource without one is in no stack. */
export const nouns: Readonly<Record<string, Noun>> = {
  vpc: {
    needs: [],
    make: (draw, nth) => ({
      name: `ours-${nth}`,
      ...(draw.chance(0.3) ? { primarySubnet: { name: "first", cidr: `10.${nth}.255.0/24` } } : {}),
    }),
    vary: (_, inputs, nth) => ({
      ...inputs,
      primarySubnet: { name: `first-${nth}`, cidr: `10.${nth}.254.0/24` },
    }),
    drift: () => ({ name: "ours-renamed" }),
  },
  subnet: {
    needs: ["vpc"],
    make: (_, nth, { vpc }) => ({ vpcId: vpc as Ref, name: `ours-${nth}`, cidr: `10.${nth}.0.0/24` }),
    is: (row, { name, cidr }) => row.name === name && (row as { cidr?: string }).cidr === cidr,
    // Ranges must not overlap.
    successor: (inputs, nth) => ({ ...inputs, name: `ours-${nth}`, cidr: `10.${nth}.0.0/24` }),
    vary: (draw, inputs, nth) => ({
      ...inputs,
      ...(draw.chance(0.5) ? { cidr: `10.${nth}.0.0/24` } : { name: `ours-${nth}` }),
    }),
    drift: () => ({ name: "ours-renamed" }),
  },
  volume: {
    needs: ["vpc"],
    make: (draw, nth, { vpc }) => ({
      vpcId: vpc as Ref,
      name: `ours-${nth}`,
      sizeGb: draw.int(1, 50),
      volumeType: draw.pick(types),
      ...(draw.chance(0.3) ? { metadata: { tier: "gold" } } : {}),
    }),
    vary: (draw, inputs, nth) =>
      draw.pick([
        { ...inputs, sizeGb: Number(inputs.sizeGb) + draw.int(1, 9) },
        { ...inputs, sizeGb: Number(inputs.sizeGb) + 1, volumeType: draw.pick(types), description: "more" },
        { ...inputs, name: `ours-${nth}`, metadata: { tier: "silver" } },
        { ...inputs, multiattach: true },
        { ...inputs, name: `ours-${nth}`, availabilityZone: "nova-2" },
      ]),
    drift: (draw) =>
      draw.pick([{ description: "by hand" }, { name: "ours-renamed" }, { metadata: { by: "hand" } }]),
  },
  "ssh-key": {
    needs: [],
    make: (draw, nth) => ({ name: `ours-${nth}`, publicKey: draw.pick(keys) }),
    vary: (draw, inputs) => ({ ...inputs, publicKey: draw.pick(keys) }),
    drift: (draw) => ({ publicKey: draw.pick(keys) }),
  },
  "security-group": {
    needs: ["vpc"],
    make: (_, nth, { vpc }) => ({ vpcId: vpc as Ref, name: `ours-${nth}` }),
    vary: (draw, inputs, nth) =>
      draw.pick([
        { ...inputs, name: `ours-${nth}` },
        { ...inputs, description: "more" },
      ]),
  },
  "security-group-rule": {
    needs: ["vpc", "security-group"],
    make: (draw, nth, refs) => ({
      vpcId: refs.vpc as Ref,
      securityGroupId: refs["security-group"] as Ref,
      direction: draw.pick(["ingress", "egress"]),
      protocol: draw.pick(["tcp", "udp"]),
      remoteIpPrefix: "0.0.0.0/0",
      portRangeMin: 1_000 + nth,
      portRangeMax: 2_000 + nth,
    }),
    successor: (inputs, nth) => ({ ...inputs, portRangeMin: 1_000 + nth }),
    vary: (_, inputs, nth) => ({ ...inputs, portRangeMin: 1_000 + nth }),
    is: (row, { portRangeMin }) => (row as { portMin?: number }).portMin === portRangeMin,
    drift: () => ({ groups: [] }),
  },
  instance: {
    needs: ["vpc", "subnet", "security-group"],
    make: (draw, nth, refs) => ({
      vpcId: refs.vpc as Ref,
      subnetId: refs.subnet as Ref,
      securityGroups: [refs["security-group"] as Ref],
      name: `ours-${nth}`,
      instanceType: draw.pick(["c1.small", "c1.medium"]),
      sshkeyName: "demo-key",
      bootVolume: { imageKrn: image, sizeGb: 10, volumeType: draw.pick(types) },
      ...(draw.chance(0.3) ? { powerState: draw.pick(["running", "stopped"]) } : {}),
      ...draw.pick([{}, {}, { userData: secrets.userData }, { userDataBase64: secrets.userDataBase64 }]),
      ...(draw.chance(0.3) ? deployment : {}),
    }),
    vary: (draw, inputs, nth) =>
      draw.pick([
        { ...inputs, name: `ours-${nth}` },
        { ...inputs, powerState: draw.pick(["running", "stopped"]) },
        { ...inputs, tags: { tier: "gold" } },
      ]),
    drift: () => ({ running: false }),
  },
  port: {
    needs: ["vpc", "subnet", "security-group"],
    make: (_, nth, refs) => ({
      vpcId: refs.vpc as Ref,
      subnetId: refs.subnet as Ref,
      name: `ours-${nth}`,
      ...(nth % 2 === 0 ? { securityGroups: [refs["security-group"] as Ref] } : {}),
    }),
    vary: (_, inputs, nth) => ({ ...inputs, name: `ours-${nth}` }),
    homeless: true,
  },
  "port-security-groups": {
    needs: ["vpc", "port", "security-group"],
    make: (_draw, _nth, refs) => ({
      portId: refs.port as Ref,
      securityGroups: [refs["security-group"] as Ref],
    }),
    // Two lists of one port would undo each other.
    takes: ({ resource, inputs }, { others }) =>
      resource !== "port" || (others === 0 && inputs.securityGroups === undefined),
    successor: null,
    vary: (_, inputs) => inputs,
    is: () => false,
  },
  "floating-ip": {
    needs: ["vpc", "subnet"],
    make: (_, nth, refs) => ({
      vpcId: refs.vpc as Ref,
      subnetId: refs.subnet as Ref,
      name: `ours-${nth}`,
    }),
    vary: (_, inputs, nth) => ({ ...inputs, name: `ours-${nth}` }),
  },
  "volume-attachment": {
    needs: ["vpc", "volume", "instance"],
    make: (_draw, _nth, refs) => ({
      vpcId: refs.vpc as Ref,
      volumeId: refs.volume as Ref,
      instanceId: refs.instance as Ref,
    }),
    // A volume that another one has just left may still be on its machine.
    takes: ({ resource }, { newest }) => resource !== "volume" || newest,
    successor: null,
    vary: (draw, inputs) => ({ ...inputs, mountPartition: draw.pick(["/dev/vdx", "/dev/vdy"]) }),
    homeless: true,
    is: ({ parents }, { volumeId, instanceId }) =>
      parents.includes(String(volumeId)) && parents.includes(String(instanceId)),
  },
  "instance-template": {
    needs: ["vpc", "subnet", "security-group"],
    make: (draw, nth, refs) => ({
      vpcId: refs.vpc as Ref,
      subnetId: refs.subnet as Ref,
      securityGroups: [refs["security-group"] as Ref],
      name: `ours-${nth}`,
      instanceType: "c1.small",
      sshkeyName: "demo-key",
      bootVolume: { imageKrn: image, sizeGb: 10, volumeType: draw.pick(types) },
      ...draw.pick([{}, { userData: secrets.userData }, { userDataBase64: secrets.userDataBase64 }]),
    }),
    vary: (draw, inputs, nth) =>
      draw.pick([
        { ...inputs, name: `ours-${nth}` },
        { ...inputs, instanceType: "c1.medium" },
      ]),
    kind: "template",
    drift: () => ({ name: "ours-renamed" }),
  },
};
