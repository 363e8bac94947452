import { actions } from "../../../../functions/index.ts";
import { terraformType } from "../../../../provider/core/name.ts";
import type { Values } from "../../../../provider/core/value.ts";
import type { Invocation } from "../../../../review/model/plan.ts";
import { planOf, unchanged } from "../../change-of.ts";
import type { RuleCase } from "./case.ts";

const instance = { vpcId: "vpc-1", name: "web", instanceType: "c1.small", powerState: "running" };

/** Returns the invocation of an action of this provider. */
function invoked(name: string, values: Values): Invocation {
  const action = actions.find((one) => one.name === name);
  if (action === undefined) throw new Error(`there is no action ${name}`);
  return {
    kind: "action",
    address: "action.it",
    type: terraformType(name),
    action,
    values: { configuration: values },
  };
}

export const actionCases: readonly RuleCase[] = [
  {
    rule: "OPS-02",
    name: "an action that restarts an instance of the plan",
    plans: [
      planOf([unchanged("instance", instance)], {
        invocations: [invoked("instance-restart", { instance_id: "instance-web-id" })],
      }),
    ],
    finds: ['plan runs action.it of instance "web". It is restarted.'],
  },
  {
    rule: "OPS-02",
    name: "an action that stops an instance which is already stopped",
    plans: [
      planOf([unchanged("instance", { ...instance, powerState: "stopped" })], {
        invocations: [invoked("instance-stop", { instance_id: "instance-web-id" })],
      }),
    ],
    finds: [],
  },
  {
    rule: "OPS-02",
    name: "an action that stops a pod of another stack",
    plans: [planOf([], { invocations: [invoked("ai-pod-stop", { ai_pod_id: "pod-9" })] })],
    finds: ['plan runs action.it of "pod-9". It is stopped.'],
  },
  {
    rule: "OPS-02",
    name: "an action that starts an instance",
    plans: [planOf([], { invocations: [invoked("instance-start", { instance_id: "instance-9" })] })],
    finds: [],
  },
  {
    rule: "DATA-01",
    name: "an action that deletes a checkpoint",
    plans: [planOf([], { invocations: [invoked("checkpoint-delete", { name: "tuned" })] })],
    finds: ['plan runs action.it of "tuned". The checkpoint cannot be restored.'],
  },
  {
    rule: "SEC-01",
    name: "an action that deletes every access key",
    plans: [planOf([], { invocations: [invoked("access-key-delete-all", { account_id: "1" })] })],
    finds: ["plan runs action.it. Every access key of the account stops working"],
  },
];
