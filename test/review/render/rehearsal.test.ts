import { expect, test } from "@jest/globals";
import { renderHtml } from "../../../review/render/html.ts";
import { renderMarkdown } from "../../../review/render/markdown.ts";
import { rehearsalText } from "../../../review/render/rehearsal.ts";
import { renderText } from "../../../review/render/text.ts";
import { reportRehearsal } from "../../../review/report/rehearsal.ts";
import { changeOf, planOf, unchanged } from "../change-of.ts";
import { objectsWith, rehearsalOf, rehearsed } from "../rehearsal-of.ts";
import { reportOf } from "./outputs.ts";

const volume = { vpcId: "vpc-1", name: "data", sizeGb: 10 };
const plan = planOf([
  changeOf("volume", volume, { ...volume, availabilityZone: "b" }),
  changeOf("ssh-key", undefined, { name: "k" }),
  unchanged("vpc", { name: "net" }),
]);
const data = "kcloud_volume.data";
const failing = {
  isComplete: false,
  errors: [{ address: data, text: "the <quota> is exceeded" }],
  objects: objectsWith(plan, data, { class: "failed", assumptions: ["quotas"] }),
  steps: rehearsalOf(plan).steps.map((step, index) =>
    index === 1 ? { ...step, result: "failed" as const } : step,
  ),
  longestPath: [data, data],
  absent: ['the volume "data" at the instance "web"'],
  assumed: ["the size of the image", "the zone of the host"],
  unknown: ["quotas"],
  unconfined: "programs have the network of this machine",
};

const textOf = (more: Parameters<typeof rehearsed>[1]): string =>
  rehearsalText(reportRehearsal(rehearsed(plan, more), (text) => text));

test("a sentence has outcome, engine and the numbers of facts", () => {
  expect(textOf({})).toBe(
    "plan: the change applies, and a second plan is empty. Rehearsed with Terraform 1.16.0; 1 object untouched, 0 facts assumed.",
  );
  const drill = { seed: 1, runs: [{ request: "r", fault: "f" }] };
  expect(textOf({ secondPlan: [data], engine: { name: "opentofu", version: "1.12.6" }, drill })).toBe(
    "plan: the change applies, but a second plan is not empty. Rehearsed with OpenTofu 1.12.6; 1 object untouched, 1 run with a fault, 0 facts assumed.",
  );
  expect(textOf(failing)).toBe(
    "plan: the apply fails. Rehearsed with Terraform 1.16.0; 1 object untouched, 2 facts assumed, 1 part of the cloud not known.",
  );
});

test("text and Markdown have the sentence in a section, which no report without a rehearsal has", () => {
  const [report, other] = [reportOf([plan], undefined, [rehearsed(plan, failing)]), reportOf([plan])];
  const text = [...renderText(report, { colour: false, symbols: "letter", width: 300 })].join("");
  expect(text).toContain(`\n\nRehearsal\n  ${textOf(failing)}\n\nFindings\n`);
  const markdown = renderMarkdown(report, { budget: 60_000, symbols: "emoji" });
  expect(markdown).toContain("\n\n### Rehearsal\n\n- plan: the apply fails. Rehearsed with Terraform 1.16.0");
  for (const output of [
    renderMarkdown(other, { budget: 60_000, symbols: "emoji" }),
    [...renderText(other, { colour: false, symbols: "letter", width: 300 })].join(""),
  ])
    expect(output).not.toContain("Rehears");
});

/** Returns the section of the rehearsals in the page of a report. */
const sectionOf = (report: ReturnType<typeof reportOf>): string =>
  /<details class="section" id="rehearsal" open>.*?<\/details>/s.exec(
    [...renderHtml(report)].join(""),
  )?.[0] ?? "";

test("the page has a table with one row per object: outcome, start and end as words, and bars", () => {
  const section = sectionOf(reportOf([plan], undefined, [rehearsed(plan, failing)]));
  const [, row = "", key = ""] = section.split("<tr>").slice(1);
  expect(row).toBe(
    `<td><a class="code" href="#plan=plan&amp;change=kcloud_volume.data">kcloud_volume.data</a></td><td><span class="action delete"><span class="mark" aria-hidden="true">✕</span>failed</span> <span class="soft">longest path; assumes quotas</span></td><td>delete 1 to 2<br>create 3 to 4, failed</td><td><svg class="bars delete longest" viewBox="0 0 1000 16" preserveAspectRatio="none" aria-hidden="true"><rect x="0" y="2" width="200" height="12"/><rect class="failed" x="400" y="2" width="200" height="12"/></svg></td></tr>\n`,
  );
  expect(key).toContain(
    '</span>created</span></td><td>5 to 6</td><td><svg class="bars create" viewBox="0 0 1000 16" preserveAspectRatio="none" aria-hidden="true"><rect x="800" y="2" width="200" height="12"/></svg></td>',
  );
  expect(section).toContain('<th scope="col">Start to end, of 6</th>');
  expect(section).toContain("Not confined: programs have the network of this machine.");
  expect(section).toContain("<li>the volume &quot;data&quot; at the instance &quot;web&quot;</li>");
  expect(section).toContain('<h4>Assumed, since no state has it <span class="count">2</span></h4>');
});

test("a rehearsal of one step, and one without a step, have a section", () => {
  const key = planOf([changeOf("ssh-key", undefined, { name: "k" })]);
  const one = sectionOf(reportOf([key], undefined, [rehearsed(key)]));
  expect(one).toContain('<rect x="0" y="2" width="1000" height="12"/>');
  const created = planOf([changeOf("ssh-key", undefined, { name: "k" })]);
  const objects = rehearsed(created).rehearsal.objects.map((object) => ({
    ...object,
    class: "not reached" as const,
  }));
  const stopped = rehearsed(created, { objects, steps: [], isComplete: false });
  expect(sectionOf(reportOf([created], undefined, [stopped]))).toContain("<td>no step</td><td></td>");
  const none = planOf([unchanged("vpc", { name: "net" })]);
  const empty = sectionOf(reportOf([none], undefined, [rehearsed(none)]));
  expect([empty.includes("<table"), empty.includes("1 object untouched")]).toEqual([false, true]);
});

test("the page of 10,000 steps shows them in shared rows, with the number of each, in less than 200 kB more", () => {
  const keys = planOf(
    Array.from({ length: 10_000 }, (_, index) => changeOf("ssh-key", undefined, { name: `k${index}` })),
  );
  const more = { longestPath: ["kcloud_ssh_key.k7"], assumed: Array.from({ length: 500 }, () => "a fact") };
  const section = sectionOf(reportOf([keys], undefined, [rehearsed(keys, more)]));
  expect(section.match(/<tr>/g)).toHaveLength(3);
  expect(section).toMatch(/9999 × <code>ssh-key<\/code>: .*k0.*k1.*k2<\/a> and 9996 more</);
  expect(section).toContain("<li>and 400 more, which the JSON report has</li>");
  expect(section).toContain("Objects that are alike share a row.");
  expect(section.length).toBeLessThan(200_000);
});

test("durations are shown in seconds", () => {
  const steps = rehearsalOf(plan).steps.map((step) => ({ ...step, seconds: 1.25 }));
  const section = sectionOf(reportOf([plan], undefined, [rehearsed(plan, { steps })]));
  expect(section).toContain('<th scope="col">Start to end, of 3.8 s</th>');
  expect(section).toContain("<td>delete 0 to 1.3<br>create 1.3 to 2.5</td>");
});
