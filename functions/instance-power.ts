import { field } from "../provider/definition/field.ts";
import { type Action, defineAction } from "../provider/definition/function.ts";
import { text } from "../provider/definition/validator.ts";
import {
  controlInstance,
  failedStatuses,
  getInstance,
  runningStatus,
  stoppedStatuses,
} from "../resources/wire/instance.ts";

/** Actions that start, stop and restart an instance (docs/contract.md#6). */

const instanceActions = {
  start: {
    action: "start",
    about: "Starts a stopped instance and waits until it is running.",
    doing: "starting the instance",
    done: [runningStatus],
    lasting: true,
  },
  stop: {
    action: "stop",
    about: "Stops an instance and waits until it is stopped. The instance keeps its volumes and addresses.",
    doing: "stopping the instance",
    done: stoppedStatuses,
    lasting: true,
    effect: { is: "interrupts", of: "instanceId", text: "It is stopped." },
  },
  restart: {
    action: "reboot",
    about: "Restarts a running instance and waits until it is running again.",
    doing: "restarting the instance",
    done: [runningStatus],
    effect: { is: "interrupts", of: "instanceId", text: "It is restarted." },
    refusedIn: { statuses: stoppedStatuses, remedies: [{ code: "start-instead", resource: "instance" }] },
  },
} as const;

const instanceAction = (verb: keyof typeof instanceActions): Action => {
  const { action, done, ...what } = instanceActions[verb];
  return defineAction({
    name: `instance-${verb}`,
    category: "compute",
    ...what,
    timeouts: { invoke: 600 },
    statuses: { done, failed: failedStatuses },
    fields: {
      instanceId: field(text, "ID of the instance.", { references: "instance" }),
    },
  })({
    async status({ api, inputs }) {
      const found = await api.find(getInstance, { query: { krn: inputs.instanceId } });
      return found && (found.status ?? "");
    },
    async send({ api, inputs }) {
      await api.send(controlInstance, { path: { instance: inputs.instanceId }, body: { action } });
    },
  });
};

/** Action that starts an instance (docs/contract.md#6). */
export const instanceStart = instanceAction("start");
/** Action that stops an instance (docs/contract.md#6). */
export const instanceStop = instanceAction("stop");
/** Action that restarts an instance (docs/contract.md#6). */
export const instanceRestart = instanceAction("restart");
