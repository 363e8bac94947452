import { decide } from "../../../review/gate/gate.ts";
import type { Profile } from "../../../review/gate/policy.ts";
import { runRules } from "../../../review/gate/run.ts";
import type { Plan } from "../../../review/model/plan.ts";
import { makeReport } from "../../../review/report/make.ts";
import { settingsWith } from "../change-of.ts";

export const rule = {
  securityGroupId: "group-1",
  direction: "ingress",
  protocol: "tcp",
  ethertype: "IPv4",
  portRangeMin: 22,
  portRangeMax: 22,
  remoteIpPrefix: "10.0.0.0/8",
};

export const reviewed = (plan: Plan, profile: Profile = {}) => {
  const report = decide(makeReport([plan], { results: runRules([plan], settingsWith()) }), {
    ...{ policy: {}, profile, failOn: "critical", today: "2027-01-01" },
  });
  return {
    code: report.verdict.code,
    findings: report.findings.map(({ rule: id, severity, drift, text }) => [id, severity, drift, text]),
    count: report.drift.length,
  };
};

export const text = 'Outside the engine: security group rule "it" opens port 22 to 0.0.0.0/0: SSH (22).';
