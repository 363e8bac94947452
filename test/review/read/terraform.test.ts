import { readFileSync } from "node:fs";
import { expect, test } from "@jest/globals";
import { actions } from "../../../functions/index.ts";
import { UNKNOWN } from "../../../provider/core/value.ts";
import type { Plan } from "../../../review/model/plan.ts";
import { readPlan } from "../../../review/read/read.ts";
import { approvalOf } from "../../../review/report/digest.ts";

/** Plans of the real Terraform, recorded by `test/review/record.ts`. */

// biome-ignore lint/suspicious/noExplicitAny: the plans are changed in ways that no type allows.
type Any = any;

/** Returns a plan, changed if `change` is given. */
function fixture(name: string, change: (json: Any) => void = () => {}) {
  const json = JSON.parse(readFileSync(new URL(`../fixture/${name}.json`, import.meta.url), "utf8"));
  change(json);
  return readPlan(name, JSON.stringify(json));
}

const digestOf = (...args: Parameters<typeof fixture>): string =>
  approvalOf([fixture(...args)], undefined).digest;

test("an action that a change triggers is read as an invocation, a resource of another provider as a change", () => {
  const plan = fixture("terraform-actions");
  expect(plan).toMatchObject({ engine: "terraform", purpose: "change", gaps: [], unknownParts: [] });
  expect(plan.invocations).toEqual([
    {
      kind: "action",
      action: actions.find(({ name }) => name === "instance-restart"),
      address: "action.kcloud_instance_restart.web",
      type: "kcloud_instance_restart",
      triggeredBy: "terraform_data.release",
      values: {
        configuration: {
          instance_id: "krn:vm:In-Bangalore-1:default:default:instance:00000000-0000-4000-8000-000000000001",
          region: null,
        },
        trigger: expect.objectContaining({ triggering_resource_address: "terraform_data.release" }),
      },
    },
  ]);
  expect(plan.changes.map(({ address, action, resource }) => [address, action, resource?.name])).toEqual([
    ["kcloud_ssh_key.one", "none", "ssh-key"],
    ["terraform_data.release", "create", undefined],
  ]);
});

test("the digest covers the configuration of actions and provisioners", () => {
  const first = digestOf("terraform-actions");
  const other = digestOf("terraform-actions", (json) => {
    json.action_invocations[0].config_values.instance_id = "krn:other";
  });
  expect(other).not.toBe(first);
  const running = (command: string) => (json: Any) => {
    json.configuration.root_module.resources.find(
      ({ address }: Any) => address === "terraform_data.release",
    ).provisioners = [{ type: "local-exec", expressions: { command: { constant_value: command } } }];
  };
  expect(digestOf("terraform-actions", running("true"))).not.toBe(
    digestOf("terraform-actions", running("false")),
  );
});

test("the digest of the state does not depend on sensitive values, since it would confirm guesses", () => {
  const prior = (password: string, name = "a") =>
    fixture("terraform-1.16.0", (json) => {
      json.prior_state = {
        values: {
          outputs: { token: { sensitive: true, value: password } },
          root_module: {
            resources: [{ address: "a.b", values: { name, password }, sensitive_values: { password: true } }],
          },
        },
      };
    }).prior.digest;
  expect(prior("opensesame")).toBe(prior("another"));
  expect(prior("opensesame", "b")).not.toBe(prior("opensesame"));
});

test("a data source that the apply reads is an effect of the plan, and its configuration is in the digest", () => {
  const reading = (url: string) =>
    readPlan(
      "shop",
      JSON.stringify({
        format_version: "1.2",
        resource_changes: [
          {
            address: "data.http.report",
            mode: "data",
            type: "http",
            change: { actions: ["read"], before: null, after: { url }, after_unknown: { body: true } },
          },
        ],
      }),
    );
  const [one, other] = ["https://a.example", "https://b.example"].map(reading);
  expect(one?.invocations).toEqual([
    {
      address: "data.http.report",
      type: "data source http",
      values: { url: "https://a.example", body: UNKNOWN },
      kind: "read",
    },
  ]);
  expect(approvalOf([one as Plan], undefined).digest).not.toBe(approvalOf([other as Plan], undefined).digest);
});
