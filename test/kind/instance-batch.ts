import { uuidOf } from "../../emulator/state/id.ts";
import { inNetwork, type LifecycleCase } from "../adapter/lifecycle/case.ts";
import type { Ref, Row, SimulatedKind } from "../simulation/kind.ts";

const of = (ref: string) => ({ ref, property: "id" });
const inputs = { vpcId: inNetwork, name: "herd", templateId: of("mould"), machineCount: 2 };
const replace = { ...inputs, name: "flock", machineCount: 1 };
const mould = (name: string, instanceType: string) => ({
  name,
  resource: "instance-template",
  inputs: {
    name,
    vpcId: inNetwork,
    subnetId: of("meadow"),
    instanceType,
    sshkeyName: "demo-key",
    securityGroups: [of("fence")],
    bootVolume: {
      imageKrn: "krn:vm:In-Bangalore-1:default:default:image:00000000-0000-4000-8000-000000000101",
      sizeGb: 10,
      volumeType: "ssd",
    },
  },
});

export const lifecycleCase: LifecycleCase = {
  kind: "instance",
  // The objects of a batch are its instances, each of which has the id of the batch.
  idOf: (item) => ("batchId" in item && typeof item.batchId === "string" ? item.batchId : null),
  dependencies: [
    {
      name: "meadow",
      resource: "subnet",
      inputs: { vpcId: inNetwork, name: "meadow", cidr: "10.0.17.0/24" },
    },
    { name: "fence", resource: "security-group", inputs: { vpcId: inNetwork, name: "fence" } },
    mould("mould", "c1.small"),
    mould("other-mould", "c1.large"),
  ],
  inputs,
  update: { ...inputs, machineCount: 1 },
  replace,
  replaceSameName: { ...replace, templateId: of("other-mould") },
  drift: null,
  // The console deletes an instance together with its boot volume.
  removedWith: (item) => [item.krn, ...("volume" in item ? [(item.volume as { krn: string }).krn] : [])],
  importId: (_, vpc, { name }) => `${vpc},${String(name)}`,
  // The API does not return the template of a batch.
  recordedByApply: true,
};

const most = 3;
const group = (vpc: string, name: string): string => `${name} in ${uuidOf(vpc)}`;

export const simulatedKind: SimulatedKind = {
  needs: ["vpc", "instance-template"],
  make: (draw, nth, refs) => ({
    vpcId: refs.vpc as Ref,
    templateId: refs["instance-template"] as Ref,
    name: `ours-${nth}`,
    machineCount: draw.int(1, most),
  }),
  vary: (draw, inputs, nth) =>
    draw.pick([
      { ...inputs, machineCount: draw.int(1, most) },
      { ...inputs, machineCount: draw.int(1, most) },
      { ...inputs, deleteOnTermination: true },
      { ...inputs, name: `ours-${nth}` },
    ]),
  emulatorKind: "instance",
  many: {
    most,
    ofRow: (row) => {
      const { parents, name, batchId } = row as Row & { readonly batchId?: string | null };
      return batchId ? [batchId, group(parents[0] ?? "", name.replace(/-[^-]*$/, ""))] : [];
    },
    ofValues: ({ vpcId, name }) => group(String(vpcId), String(name)),
  },
};
