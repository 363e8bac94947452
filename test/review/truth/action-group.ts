import { account } from "../../../emulator/state/id.ts";
import type { Item } from "../../adapter/adapter.ts";
import { changed, cloudName, type GroupOf, item, machineItem } from "./part.ts";

/** Groups with actions of the provider that the apply of an edit invokes. */

const podItem = (id: string): Item =>
  item(`${id}_pod`, "ai-pod", {
    name: cloudName(`${id}_pod`),
    templateId: 1,
    instanceType: "p1.small",
    sshkeyName: "demo-key",
    volumeDiskSizeGb: 50,
    exposeHttpPorts: [80],
    exposeTcpPorts: [],
  });

/** Actions on instances and pods. */
export const powerActionGroup: GroupOf = (draw, id, engine) => {
  if (engine !== "terraform") return { before: [], after: [] };
  const isPod = draw.chance(0.35);
  // The provider waits longer for a restart than for the others.
  const verb = draw.chance(0.04) ? "restart" : draw.pick(["start", "stop"]);
  // The API rejects the start of a pod that runs; an instance that is already stopped is not stopped again.
  const isStopped =
    verb === "start" ? isPod || draw.chance(0.5) : verb === "stop" && !isPod && draw.chance(0.1);
  const target = changed(isPod ? podItem(id) : machineItem(draw, `${id}_host`), {
    // An action changes the power state, so the configuration leaves it open.
    powerState: isStopped ? "stopped" : undefined,
    ...(isPod ? {} : { floatingIp: undefined }),
  });
  const inputs = { [isPod ? "aiPodId" : "instanceId"]: { ref: target.name, property: "id" } };
  const action = { name: `${id}_act`, action: `${isPod ? "ai-pod" : "instance"}-${verb}`, inputs };
  return { before: [target], after: [target], actions: [action] };
};

const checkpoints = ["chat-small-001", "chat-small-002", "vision-base-001"];

/** Action that deletes a checkpoint; a stack has at most one group of each checkpoint. */
export const checkpointGroup =
  (nth: number): GroupOf =>
  (_, id, engine) => {
    const name = checkpoints[nth] ?? "";
    const action = { name: `${id}_wipe`, action: "checkpoint-delete", inputs: { name, confirmName: name } };
    return { before: [], after: [], actions: engine === "terraform" ? [action] : [] };
  };

/** Action that deletes every access key of the account: the only group of its stack. */
export const keyActionGroup: GroupOf = (draw, id) => {
  const keys = Array.from({ length: draw.int(1, 3) }, (_, nth) =>
    item(`${id}_key${nth}`, "access-key", { name: cloudName(`${id}_key${nth}`) }),
  );
  const action = { name: `${id}_end`, action: "access-key-delete-all", inputs: { accountId: account } };
  return { before: keys, after: keys, actions: [action], isKnown: true };
};
