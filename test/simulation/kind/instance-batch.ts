import { uuidOf } from "../../../emulator/state/id.ts";
import type { Ref, Row, SimulatedKind } from "../kind.ts";

const most = 3;
const group = (vpc: string, name: string): string => `${name} in ${uuidOf(vpc)}`;

export const kind: SimulatedKind = {
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
