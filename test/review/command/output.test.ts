import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { expect, test } from "@jest/globals";
import { at, describeReview, file, folder, plan, policy, report, soon } from "./world.ts";

describeReview("%s", (_, run, review) => {
  test("1: if one output cannot be written, none is, and no temporary file remains", async () => {
    writeFileSync(at("file"), "");
    const bad = [at("file/below.md"), folder];
    for (const path of bad) {
      const ran = await review("--in", plan, "--out", `md:${path}`);
      expect([ran.code, ran.report]).toEqual([1, undefined]);
      expect(ran.stderr).toContain(`${path} cannot be written: `);
    }
    expect(readdirSync(folder)).toEqual(["file"]);
  });

  test("missing folders of outputs are created, and files are replaced atomically", async () => {
    const old = at("deep/er/comment.md");
    for (const content of ["", "x".repeat(1_000_000)]) {
      mkdirSync(at("deep/er"), { recursive: true });
      writeFileSync(old, content);
      await run(["--in", plan, "--out", `md:${old}`, "--out", `sarif:${at("new/report.sarif")}`]);
      expect(readFileSync(old, "utf8")).toMatch(/^## 🛑 Blocked[\s\S]*Approval digest: `kr2-[0-9a-f]{64}`/);
      expect(JSON.parse(readFileSync(at("new/report.sarif"), "utf8")).version).toBe("2.1.0");
    }
  });

  test("an output can be a device", async () => {
    expect((await run(["--in", plan, "--fail-on", "none", "--out", "md:/dev/null"])).code).toBe(0);
  });

  test("texts of a policy and of a foreign report are printed without control characters", async () => {
    const waiver = {
      rule: "DATA-01",
      address: "kcloud_*",
      owner: "a\u001b[2Jnn",
      reason: "\u202eagreed",
      until: soon,
    };
    const folderOf = policy({ waivers: [waiver] });
    const shown = await run(["--in", plan, "--policy", folderOf, "--policy-head", folderOf]);
    await review("--in", plan);
    const forged = { ...report(), verdict: { ...report().verdict, line: "\u001b[2J\u202efine" } };
    const again = await run(["--in", file("forged.json", { ...forged })]);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not occur.
    for (const { stdout } of [shown, again]) expect(stdout).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u202e]/);
    expect(again.stdout).toContain("fine");
  });
});
