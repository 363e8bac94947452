import { describe, expect, test } from "@jest/globals";
import { markerOf, stateIn } from "../../../review/post/comment.ts";
import { NotPostedError } from "../../../review/post/post.ts";
import { createDraw } from "../../simulation/draw.ts";
import { changeOf, planOf } from "../change-of.ts";
import { reportOf } from "../render/outputs.ts";
import { type Fault, interleaved, testClock, transportTo } from "./double.ts";
import { githubDouble, githubToken } from "./github-double.ts";
import { gitlabToken } from "./gitlab-double.ts";
import { appliedWith, finding, findingsTo, hostDoubles, postTo, reportWith, revisionOf } from "./world.ts";

const [first, second, third] = [revisionOf(1), revisionOf(2), revisionOf(3)];

describe.each(hostDoubles)("on %s", (name, doubleOf) => {
  test("a report becomes a comment and a status; the next one updates the comment", async () => {
    const { double, setHead, bodies, statuses } = doubleOf();
    setHead(first);
    const noun = name === "GitHub" ? "check" : "status";
    expect(await postTo({ double, revision: first, report: reportWith(findingsTo(2)) })).toEqual([
      `Set the ${noun} "kcloud review: plan" of ${first}.`,
      "Created the comment.",
    ]);
    setHead(second);
    await postTo({ double, revision: second, report: reportWith([finding(1), finding(5)]) });
    expect(bodies()).toHaveLength(1);
    expect(bodies()[0]).toContain("1 new, 1 gone, 1 kept.");
    expect(bodies()[0]).toContain(
      "- new: `plan: DATA-01 kcloud_volume.v5`\n- gone: `plan: DATA-01 kcloud_volume.v0`",
    );
    setHead(third);
    await postTo({ double, revision: third, report: reportWith() });
    expect(bodies()[0]).toContain("## ✅ Passed");
    expect(bodies()[0]).toContain("0 new, 2 gone, 0 kept.");
    expect(bodies()[0]).toContain(
      [
        "- ✅ Passed at `000000000000`",
        "- 🛑 Blocked at `000000000000`",
        "- 🛑 Blocked at `000000000000`",
      ].join("\n"),
    );
    expect(statuses().toSorted()).toEqual([`${first} failure`, `${second} failure`, `${third} success`]);
  });

  test("the same report again changes no comment", async () => {
    const { double, setHead, bodies } = doubleOf();
    setHead(first);
    const report = reportWith(findingsTo(3));
    await postTo({ double, revision: first, report: reportWith() });
    setHead(second);
    await postTo({ double, revision: second, report });
    const [before] = bodies();
    const log: string[] = [];
    await postTo({ double, revision: second, report, log });
    expect(bodies()).toEqual([before]);
    expect(log.filter((line) => /^(PUT|PATCH|DELETE)|POST .*(comments|notes)/.test(line))).toEqual([]);
  });

  test("each stack has a comment of its own", async () => {
    const { double, setHead, bodies } = doubleOf();
    setHead(first);
    for (const stack of ["net", "app", "net"])
      await postTo({ double, revision: first, report: reportWith(), options: { stack } });
    expect(bodies().map((body) => body.split("\n")[0])).toEqual([markerOf("net"), markerOf("app")]);
  });

  test("a marker inside of another comment of this account is ignored", async () => {
    const { double, setHead, bodies, comment, account } = doubleOf();
    setHead(first);
    comment(account, `quoted: ${markerOf("plan")}`);
    await postTo({ double, revision: first, report: reportWith() });
    expect(bodies()).toHaveLength(2);
  });

  test("of several comments the oldest stays", async () => {
    const { double, setHead, bodies, comment, account } = doubleOf();
    setHead(first);
    comment("ann", "hello");
    for (const text of ["a", "b", "c"]) comment(account, `${markerOf("plan")}\n${text}`);
    expect((await postTo({ double, revision: first, report: reportWith() })).at(-1)).toBe(
      "Kept the oldest of 3 comments, and deleted the others.",
    );
    expect(bodies()).toHaveLength(2);
    expect(stateIn(bodies()[1] ?? "")?.revision).toBe(first);
  });

  test("the comment is found behind many pages of others", async () => {
    const { double, setHead, bodies, comment } = doubleOf(10);
    setHead(first);
    for (let index = 0; index < 45; index++) comment("ann", `comment ${index}`);
    for (let round = 0; round < 3; round++) await postTo({ double, revision: first, report: reportWith() });
    expect(bodies()).toHaveLength(46);
  });

  test("labels name the worst verdict of all stacks", async () => {
    const { double, setHead, labels } = doubleOf();
    setHead(first);
    const label = (stack: string, report = reportWith()) =>
      postTo({ double, revision: first, report, options: { stack, setsLabels: true } });
    await label("net");
    expect(labels()).toEqual(["kcloud: passed"]);
    await label("app", reportWith(findingsTo(1)));
    await label("net");
    expect(labels()).toEqual(["kcloud: blocked"]);
    await label("app");
    expect(labels()).toEqual(["kcloud: passed"]);
  });

  test("--dry-run prints requests with the token masked, and changes nothing", async () => {
    const { double, setHead, bodies, statuses, labels } = doubleOf();
    setHead(first);
    const printed: string[] = [];
    const log: string[] = [];
    await postTo({
      double,
      revision: first,
      report: reportWith(findingsTo(60)),
      options: { setsLabels: true },
      dryRun: (text) => void printed.push(text),
      log,
    });
    expect([bodies(), statuses(), labels()]).toEqual([[], [], []]);
    expect(log.filter((line) => !line.startsWith("GET") && !line.endsWith("/graphql"))).toEqual([]);
    expect(printed.map((text) => text.split("\n")[0]?.replace(double.api, ""))).toContain(
      name === "GitHub"
        ? "POST /repos/acme/infra/issues/7/comments"
        : "POST /projects/acme%2Finfra/merge_requests/7/notes",
    );
    expect(printed.join("")).not.toContain("canary-token");
    expect(printed.join("")).toMatch(name === "GitHub" ? "authorization: ***" : "private-token: ***");
  });

  test("200 findings with places, and another label, take at most 12 requests", async () => {
    const { double, setHead } = doubleOf();
    setHead(first);
    await postTo({
      double,
      revision: first,
      report: reportWith(),
      options: { setsLabels: true },
    });
    setHead(second);
    const log: string[] = [];
    await postTo({
      double,
      revision: second,
      report: reportWith(findingsTo(200)),
      options: { setsLabels: true },
      log,
    });
    expect(log.length).toBe(name === "GitHub" ? 12 : 9);
  });

  test("the comment fits the limit of the host with 50,000 findings, and with 10 verdicts", async () => {
    const { double, setHead, bodies } = doubleOf();
    const report = reportWith(findingsTo(50_000));
    for (let number = 1; number <= 12; number++) {
      setHead(revisionOf(number));
      await postTo({
        double,
        revision: revisionOf(number),
        report: number < 12 ? reportWith(findingsTo(number)) : report,
      });
    }
    expect(Buffer.byteLength(bodies()[0] ?? "")).toBeLessThanOrEqual(name === "GitHub" ? 60_000 : 950_000);
    expect(bodies()[0]).toContain("<summary>Last 10 verdicts</summary>");
  });

  test("the token is in no line, no error, no comment and no URL", async () => {
    const token = name === "GitHub" ? githubToken : gitlabToken;
    const { double, setHead, bodies } = doubleOf();
    setHead(first);
    const log: string[] = [];
    const fault = ({ method }: { method: string }) =>
      method === "POST" ? { status: 422, body: { message: `bad ${token}` } } : undefined;
    const error = await postTo({ double, revision: first, report: reportWith(), fault, log }).catch(
      (thrown) => thrown,
    );
    expect(error).toBeInstanceOf(NotPostedError);
    expect([error.message, ...log, ...bodies()].join("\n")).not.toContain(token);
  });
});

test("a marker in a comment of another account is ignored", async () => {
  for (const [, doubleOf] of hostDoubles) {
    const { double, setHead, bodies, comment } = doubleOf();
    setHead(first);
    comment("mallory", `${markerOf("plan")}\nforged`);
    await postTo({ double, revision: first, report: reportWith() });
    expect(bodies()).toHaveLength(2);
    expect(bodies()[0]).toBe(`${markerOf("plan")}\nforged`);
  }
});

test("a report of an older revision is posted as outdated, without a status, and never over the report of the head", async () => {
  for (const [, doubleOf] of hostDoubles) {
    const { double, setHead, bodies, statuses } = doubleOf();
    setHead(second);
    expect((await postTo({ double, revision: first, report: reportWith(findingsTo(1)) }))[0]).toBe(
      `The report is outdated: the head is ${second}, not ${first}. No status is set.`,
    );
    expect(bodies()[0]).toContain("**Outdated**: this report is of `000000000000`");
    expect(statuses()).toEqual([]);
    await postTo({ double, revision: second, report: reportWith() });
    const after = bodies();
    expect(after[0]).not.toContain("**Outdated**");
    await postTo({ double, revision: first, report: reportWith(findingsTo(1)) });
    expect(bodies()).toEqual(after);
  }
});

test("a comment that somebody deletes between reading and writing is created again", async () => {
  for (const [, doubleOf] of hostDoubles) {
    const { double, setHead, bodies, comment, account } = doubleOf();
    setHead(first);
    comment(account, `${markerOf("plan")}\nold`);
    const isUpdate = (method: string) => ["PATCH", "PUT"].includes(method);
    const fault: Fault = (request) => {
      if (isUpdate(request.method)) double.answer({ ...request, method: "DELETE", body: {} });
      return undefined;
    };
    expect((await postTo({ double, revision: first, report: reportWith(), fault })).at(-1)).toBe(
      "Created the comment.",
    );
    expect(bodies()).toHaveLength(1);
    expect(stateIn(bodies()[0] ?? "")?.revision).toBe(first);
  }
});

test("stacks with long names have statuses of different names", async () => {
  for (const [, doubleOf] of hostDoubles) {
    const { double, setHead } = doubleOf();
    setHead(first);
    const lines = await Promise.all(
      ["a", "b"].map((end) =>
        postTo({ double, revision: first, report: reportWith(), options: { stack: "x".repeat(200) + end } }),
      ),
    );
    expect(new Set(lines.map(([line]) => line)).size).toBe(2);
  }
});

test.each([1, 50_000])("a report of %i changes fits a comment", async (count) => {
  const { changes, ...report } = reportOf([
    planOf([changeOf("volume", undefined, { name: "v", sizeGb: 1 })]),
  ]);
  const many = Array.from({ length: count }, (_, index) => {
    const [change] = changes;
    if (change === undefined) throw new Error("there is no change");
    return { ...change, address: `kcloud_volume.v${index}`, name: `v${index}` };
  });
  for (const [name, doubleOf] of hostDoubles) {
    const { double, setHead, bodies } = doubleOf();
    setHead(first);
    await postTo({ double, revision: first, report: { ...report, changes: many } });
    expect(Buffer.byteLength(bodies()[0] ?? "")).toBeLessThanOrEqual(name === "GitHub" ? 60_000 : 950_000);
  }
});

describe.each(hostDoubles)("%s: a report after the apply", (name, doubleOf) => {
  const [head, merge] = [revisionOf(1), revisionOf(200)];

  test("takes the place of the report in the comment of the merged request, with a status of the applied revision", async () => {
    const { double, setHead, merge: mergeAt, bodies, statuses, statusNames } = doubleOf();
    setHead(head);
    await postTo({ double, revision: head, report: reportWith(findingsTo(1)) });
    mergeAt(merge);
    const log: string[] = [];
    const report = appliedWith(7, reportWith(findingsTo(1)));
    const lines = await postTo({ double, revision: merge, report, log, isNumbered: false });
    expect(lines).toEqual([
      `Set the ${name === "GitHub" ? "check" : "status"} "kcloud apply: plan" of ${merge}.`,
      "Updated the comment.",
    ]);
    const [body = "", ...others] = bodies();
    expect(others).toEqual([]);
    expect(body).toMatch(
      /\n## 🛑 Apply incomplete: 1 done, 1 failed\.\n\nStack `plan`, applied at `0{10}\w\w`\.\n/,
    );
    expect(body).not.toContain("Outdated");
    expect(body).not.toContain("Findings since");
    expect(body).toContain("- **failed** `kcloud_volume.bad`: create");
    expect(body).toContain("<details><summary>Report of the review</summary>");
    expect(body).toMatch(/Last 2 verdicts[\s\S]*- 🛑 Apply incomplete at `\w+`\n- 🛑 Blocked at `\w+`/);
    expect(statuses().toSorted()).toEqual([`${head} failure`, `${merge} failure`]);
    expect(statusNames().toSorted()).toEqual(["kcloud apply: plan", "kcloud review: plan"]);
    expect(log.length).toBeLessThanOrEqual(10);
    // The same report again changes nothing; that of another apply takes its place in the history, too.
    await postTo({ double, revision: merge, report, isNumbered: false });
    expect(bodies()).toEqual([body]);
    await postTo({ double, revision: merge, report: appliedWith(0), isNumbered: false });
    expect(bodies()[0]).toMatch(/\n## ✅ Applied: 1 done\.\n[\s\S]*Last 3 verdicts[\s\S]*- ✅ Applied at/);
  });

  test("is not replaced by a review: neither of the merged request, nor of the applied head", async () => {
    const merged = doubleOf();
    merged.setHead(head);
    merged.merge(merge);
    await postTo({ double: merged.double, revision: merge, report: appliedWith(0) });
    const [body = ""] = merged.bodies();
    expect(body).toContain("## ✅ Applied");
    expect(await postTo({ double: merged.double, revision: head, report: reportWith() })).toEqual([
      "The request is merged: nothing is posted.",
    ]);
    expect(merged.bodies()).toEqual([body]);
    const open = doubleOf();
    open.setHead(head);
    await postTo({ double: open.double, revision: head, report: appliedWith(8) });
    const [applied = ""] = open.bodies();
    await postTo({ double: open.double, revision: head, report: reportWith() });
    expect(open.bodies()).toEqual([applied]);
    // A later revision is reviewed, and its findings are compared with the applied ones.
    open.setHead(revisionOf(2));
    await postTo({ double: open.double, revision: revisionOf(2), report: reportWith(findingsTo(1)) });
    expect(open.bodies()[0]).toMatch(/1 new, 0 gone, 0 kept\.[\s\S]*- ⚠️ Apply differs at/);
  });

  test("labels name the verdict of the review", async () => {
    const { double, setHead, labels } = doubleOf();
    setHead(head);
    const options = { setsLabels: true };
    await postTo({ double, revision: head, report: appliedWith(7, reportWith(findingsTo(1))), options });
    expect(labels()).toEqual(["kcloud: blocked"]);
    await postTo({ double, revision: head, report: reportWith(), options: { ...options, stack: "other" } });
    expect(labels()).toEqual(["kcloud: blocked"]);
  });

  test("without exactly one merged request, the error asks for --request", async () => {
    const { double, setHead } = doubleOf();
    setHead(head);
    await expect(
      postTo({ double, revision: revisionOf(300), report: appliedWith(0), isNumbered: false }),
    ).rejects.toThrow(/^No merged (pull|merge) request has the revision \w{40}: set --request NUMBER\.$/);
  });
});

test("GitHub: of several merged requests, the one whose merge made the revision is meant", async () => {
  const double = githubDouble();
  Object.assign(double.pull, {
    head: revisionOf(1),
    state: "closed",
    merged: true,
    mergeCommit: revisionOf(200),
  });
  const other = { number: 8, merged_at: "2027-01-01T00:00:00Z", merge_commit_sha: revisionOf(3) };
  double.pullsOfCommit.push(other);
  const post = () => postTo({ double, revision: revisionOf(200), report: appliedWith(0), isNumbered: false });
  expect((await post()).at(-1)).toBe("Created the comment.");
  double.pull.mergeCommit = revisionOf(4);
  double.pullsOfCommit.push({ ...other, number: 9 });
  await expect(post()).rejects.toThrow(/^Several merged pull requests have the revision/);
});

test("a review that ends late never replaces the report after the apply", async () => {
  const [head, merge] = [revisionOf(1), revisionOf(200)];
  const heading = async (seed: string): Promise<string> => {
    const draw = createDraw(seed);
    const double = githubDouble();
    double.pull.head = head;
    const clock = testClock();
    const transport = transportTo(double, { clock });
    const isMerged = draw.chance(0.5);
    // An apply of an open request comes after its review, which a job repeats.
    if (!isMerged || draw.chance(0.5)) await postTo({ double, revision: head, report: reportWith(), clock });
    const review = reportWith(findingsTo(2));
    await interleaved(
      [
        {
          after: 0,
          start: (turned) => postTo({ double, revision: head, report: review, transport: turned, clock }),
        },
        {
          after: draw.int(1, 9),
          start: (turned) => {
            if (isMerged) Object.assign(double.pull, { state: "closed", merged: true, mergeCommit: merge });
            const revision = isMerged ? merge : head;
            return postTo({ double, revision, report: appliedWith(7), transport: turned, clock });
          },
        },
      ],
      transport,
      draw,
    );
    return double.comments.map(({ body }) => /^## (.*)$/m.exec(body)?.[1]).join(" and ");
  };
  const seeds = Array.from({ length: 200 }, (_, index) => `apply-${index}`);
  const wrong = [];
  for (const seed of seeds)
    if ((await heading(seed)) !== "🛑 Apply incomplete: 1 done, 1 failed.") wrong.push(seed);
  expect(wrong).toEqual([]);
});

describe("100 pushes with two jobs at once, in a drawn order of their requests", () => {
  const seeds = Array.from({ length: 10 }, (_, index) => `post-${index}`);

  /** Pushes 100 revisions, two at a time, each with a job per stack. Returns the comments after each pair. */
  async function pushes(
    seed: string,
    doubleOf: (typeof hostDoubles)[number][1],
  ): Promise<{ wrong: string[]; outdated: number }> {
    const draw = createDraw(seed);
    const { double, setHead, bodies } = doubleOf();
    const wrong: string[] = [];
    let outdated = 0;
    const clock = testClock();
    const transport = transportTo(double, { clock });
    for (let push = 1; push < 100; push += 2) {
      const isSame = draw.chance(0.2);
      const stack = draw.pick(["net", "app"]);
      const jobOf = (number: number, after: number) => ({
        after,
        start: (turned: typeof transport) => {
          setHead(revisionOf(number));
          const report = reportWith(findingsTo(draw.int(0, 3)));
          return postTo({
            double,
            revision: revisionOf(number),
            report,
            transport: turned,
            clock,
            options: { stack },
          });
        },
      });
      const newest = isSame ? push : push + 1;
      await interleaved([jobOf(push, 0), jobOf(newest, draw.int(0, 12))], transport, draw);
      const ours = bodies().filter((body) => body.startsWith(markerOf(stack)));
      const [body = ""] = ours;
      if (ours.length !== 1) wrong.push(`${seed} ${push}: ${ours.length} comments`);
      else if (stateIn(body)?.revision !== revisionOf(newest)) {
        if (body.includes("**Outdated**")) outdated++;
        else wrong.push(`${seed} ${push}: the comment is of another revision`);
      }
    }
    return { wrong, outdated };
  }

  test.each(seeds)("GitHub: one comment a stack, that of the newest head (%s)", async (seed) => {
    const [[, doubleOf] = []] = hostDoubles;
    if (doubleOf === undefined) throw new Error("there is no double");
    expect(await pushes(seed, doubleOf)).toEqual({ wrong: [], outdated: 0 });
  });

  test("GitLab: one comment a stack, that of the newest head, or marked as outdated", async () => {
    const [, [, doubleOf] = []] = hostDoubles;
    if (doubleOf === undefined) throw new Error("there is no double");
    const runs = await Promise.all(seeds.map((seed) => pushes(seed, doubleOf)));
    expect(runs.flatMap(({ wrong }) => wrong)).toEqual([]);
    const outdated = runs.reduce((sum, run) => sum + run.outdated, 0);
    // GitLab cannot store the newer text with its status: the guide serializes the jobs.
    expect(outdated).toBeLessThanOrEqual(10);
  });
});
