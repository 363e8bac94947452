import { field } from "../provider/definition/field.ts";
import { type Action, defineAction } from "../provider/definition/function.ts";
import { text } from "../provider/definition/validator.ts";
import { controlPod, findPod, podRuns } from "../resources/wire/ai-pod.ts";
import { failedStatuses, stoppedStatuses } from "../resources/wire/instance.ts";

/** Actions that start, stop and restart an AI pod (docs/contract.md#10). */

/** Status for a pod that the API does not show: an accepted request counts as done (docs/contract.md#17.7). */
const notShown = "not shown";

const podActions = {
  start: {
    about: "Starts a stopped AI pod and waits until it is running, if the API returns pods.",
    doing: "starting the AI pod",
    done: podRuns,
  },
  stop: {
    about: "Stops an AI pod and waits until it is stopped, if the API returns pods. The pod keeps its disks.",
    doing: "stopping the AI pod",
    done: stoppedStatuses,
    effect: { is: "interrupts", of: "aiPodId", text: "It is stopped." },
  },
  restart: {
    about: "Restarts a running AI pod and waits until it is running again, if the API returns pods.",
    doing: "restarting the AI pod",
    done: podRuns,
    effect: { is: "interrupts", of: "aiPodId", text: "It is restarted." },
    refusedIn: { statuses: stoppedStatuses, remedies: [{ code: "start-instead", resource: "ai-pod" }] },
  },
} as const;

const podAction = (action: keyof typeof podActions): Action => {
  const { done, ...what } = podActions[action];
  return defineAction({
    name: `ai-pod-${action}`,
    category: "ai",
    ...what,
    timeouts: { invoke: 600 },
    statuses: { done: [...done, notShown], failed: failedStatuses },
    fields: {
      aiPodId: field(text, "ID of the AI pod.", { references: "ai-pod" }),
    },
  })({
    async status({ api, inputs }) {
      const found = await findPod(api, inputs.aiPodId);
      return found?.status ?? notShown;
    },
    async send({ api, inputs }) {
      await api.send(controlPod, { path: { pod: inputs.aiPodId }, body: { action } });
    },
  });
};

/** Action that starts an AI pod (docs/contract.md#10). */
export const aiPodStart = podAction("start");
/** Action that stops an AI pod (docs/contract.md#10). */
export const aiPodStop = podAction("stop");
/** Action that restarts an AI pod (docs/contract.md#10). */
export const aiPodRestart = podAction("restart");
