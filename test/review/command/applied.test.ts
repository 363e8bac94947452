import { join } from "node:path";
import { expect, test } from "@jest/globals";
import { formats } from "../../../review/command/option.ts";
import { fixtureFolder, recorded } from "../applied/fixture.ts";
import { at, describeReview, file, report } from "./world.ts";

const recordedFile = (scene: string, name: string): string => join(fixtureFolder, scene, name);

describeReview("%s", (_, run, review) => {
  /** Reviews the plan of a scene, and runs the command with its log and state. */
  const applied = async (scene: string, ...args: string[]) => {
    await review("--in", `net=${recordedFile(scene, "plan.json")}`, "--fail-on", "none");
    const given = (option: string) => args.includes(option);
    return run([
      ...["applied", "--report", at("report.json"), "--out", `json:${at("applied.json")}`],
      ...(given("--log") ? [] : ["--log", recordedFile(scene, "log.jsonl")]),
      ...(given("--state") ? [] : ["--state", recordedFile(scene, "state.json")]),
      ...args,
    ]);
  };

  test.each([
    ["terraform-done", 0],
    ["opentofu-failed", 7],
    ["pulumi-other-values", 8],
  ])(
    "%s ends with %i, and the JSON is the report of the review with what the apply did",
    async (scene, code) => {
      const ran = await applied(scene);
      expect(ran.code).toBe(code);
      const { applied: what, verdict, ...rest } = report("applied.json");
      const { verdict: reviewed, ...before } = report("report.json");
      expect(rest).toEqual(before);
      expect([what?.review, verdict.code]).toEqual([reviewed, code]);
      expect(ran.stderr === "").toBe(code === 0);
      // The JSON report is an input of the review.
      const again = await run(["--in", at("applied.json"), "--out", `json:${at("again.json")}`]);
      expect(again.code).toBe(code);
      expect(report("again.json")).toEqual(report("applied.json"));
    },
  );

  test("logs and states of several plans have the names of their plans", async () => {
    const scenes = ["terraform-done", "pulumi-failed"];
    await review(
      ...scenes.flatMap((scene) => ["--in", `${scene}=${recordedFile(scene, "plan.json")}`]),
      "--fail-on",
      "none",
    );
    const ran = await run([
      ...[
        "applied",
        "--report",
        at("report.json"),
        "--out",
        `json:${at("applied.json")}`,
        "--exit-code",
        "255",
      ],
      ...scenes.flatMap((scene) => [
        ...["--log", `${scene}=${recordedFile(scene, "log.jsonl")}`],
        ...["--state", `${scene}=${recordedFile(scene, "state.json")}`],
      ]),
    ]);
    expect(ran.code).toBe(7);
    expect(
      report("applied.json").applied?.plans.map(({ name, end, problems }) => [name, end, problems]),
    ).toEqual([
      ["pulumi-failed", "failed", []],
      ["terraform-done", "succeeded", []],
    ]);
  });

  test.each([
    ["no report", ["applied", "--log", "x"], "--report PATH is required"],
    [
      "an exit code that is none",
      ["applied", "--report", "x", "--exit-code", "a"],
      "--exit-code must be a number",
    ],
    ["an unknown option", ["applied", "--in", "x"], "--in"],
  ])("1: %s", async (_case, args, message) => {
    const ran = await run(args);
    expect([ran.code, ran.stderr]).toEqual([1, expect.stringContaining(message)]);
  });

  test("1: files that cannot be read, and names of no plan", async () => {
    const texts = [
      [["--log", at("none.jsonl")], "none.jsonl cannot be read"],
      [["--state", file("state.json", "{")], "state.json is not JSON, or is truncated"],
      [["--log", `other=${file("a.jsonl", "")}`], "--log: no plan is called other"],
      [["--state", file("b.json", "{}"), "--state", file("c.json", "{}")], "--state: net has two files"],
    ] as const;
    for (const [args, message] of texts) {
      const ran = await applied("terraform-done", ...args);
      expect([ran.code, ran.stderr]).toEqual([1, expect.stringContaining(message)]);
    }
  });

  test("8: an empty log, a cut log, and no log", async () => {
    const cut = recorded("terraform-done", "log.jsonl").slice(0, -3_000);
    for (const text of ["", "Error: no configuration\n", cut]) {
      const ran = await applied("terraform-done", "--log", file("log.jsonl", text));
      expect(ran.code).toBe(8);
    }
    const ran = await run(["applied", "--report", at("report.json")]);
    expect([ran.code, ran.stdout]).toEqual([8, expect.stringMatching(/^Apply differs: 0 done, /)]);
  });
});

/** Values that no output may have. */
const canaries = ["canary-state-Xk29", "canary-password-Qm41", "AKIA0123456789ABCDEF", "canary-output-Jw77"];

/** Secrets of the recorded objects. */
const secretsIn = (text: string): string[] => text.match(/emulator-secret-[\da-f-]{36}/g) ?? [];

describeReview("%s: secrets", (_, run, review) => {
  test("no output has a secret of the state or of an error text, nor control characters, nor commands of CI systems", async () => {
    const scene = "terraform-deposed";
    const [name = ""] = canaries;
    const state = JSON.parse(recorded(scene, "state.json"));
    const [first] = state.values.root_module.resources;
    first.values.secret_key = name;
    state.values.outputs = { token: { sensitive: true, value: canaries[3] } };
    const texts = [
      `rejected ${name} and ${Buffer.from(name).toString("base64")}`,
      `password=${canaries[1]}`,
      `key ${canaries[2]}`,
      `output ${canaries[3]}`,
      "\u001b]0;title\u0007 --> <!-- kcloud-review-state x --> <script>alert(1)</script>\n::set-output name=a::b\n##[add-path]/x",
      `${"|`*_ ".repeat(2_000_000)}`,
    ];
    const errors = texts.map((detail) =>
      JSON.stringify({
        ...{ "@level": "error", type: "diagnostic" },
        diagnostic: { severity: "error", summary: "Failed", detail, address: "kcloud_access_key.reports" },
      }),
    );
    await review("--in", `net=${recordedFile(scene, "plan.json")}`, "--fail-on", "none");
    const names = Object.keys(formats);
    for (const format of names) {
      const ran = await run([
        ...["applied", "--report", at("report.json"), "--out", format],
        ...["--log", file("log.jsonl", [recorded(scene, "log.jsonl"), ...errors].join("\n"))],
        ...["--state", file("state.json", state)],
      ]);
      expect(ran.code).toBe(7);
      const output = ran.stdout + ran.stderr;
      expect(output).toContain("kcloud_access_key.reports");
      for (const canary of [...canaries, ...secretsIn(recorded(scene, "state.json"))]) {
        expect(output).not.toContain(canary);
        expect(output).not.toContain(Buffer.from(canary).toString("base64"));
      }
      // biome-ignore lint/suspicious/noControlCharactersInRegex: these are searched for.
      expect(output).not.toMatch(/[\u0000-\u0008\u000b-\u001f]/);
      expect(output).not.toMatch(/^(::set-output|##\[)/m);
      expect(output.length).toBeLessThan(format === "html" ? 400_000 : 100_000);
      if (format === "html") expect(output).not.toContain("<script>alert");
      if (format === "md") expect(output).not.toContain("\n<!--");
    }
  }, 120_000);
});
