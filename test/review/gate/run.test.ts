import { expect, test } from "@jest/globals";
import { secret, type Value } from "../../../provider/core/value.ts";
import { runRules } from "../../../review/gate/run.ts";
import type { Change } from "../../../review/model/change.ts";
import { makeReport } from "../../../review/report/make.ts";
import { changeOf, planOf, settingsWith } from "../change-of.ts";

test("a JSON text that contains a part of a sensitive one is redacted, and still compared", () => {
  const statements = (action: string) => `[{"Effect":"Allow","Action":["${action}"],"Resource":"bucket-a"}]`;
  const policy = (name: string, from: Value, to: Value): Change => ({
    ...changeOf("account-policy", { name, statements: "[]" }, { name, statements: "[]" }),
    before: { name, statements: from },
    after: { name, statements: to },
    action: "update",
  });
  const hidden = secret(statements("s3:GetObject"));
  const shown = policy("shown", statements("s3:GetObject"), statements("s3:PutObject"));
  const plans = [planOf([policy("hidden", hidden, secret("[]")), shown])];
  const { findings } = makeReport(plans, { results: runRules(plans, settingsWith({})) });
  expect(findings.map(({ rule, address }) => `${rule} ${address}`)).toContain(
    "SEC-06 kcloud_account_policy.shown",
  );
});
