import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import { acme, describeReview, fixtures, policy } from "../command/world.ts";

describeReview("%s", (_, run, _review) => {
  test("0 and 1: explain", async () => {
    expect(await run(["explain", "data-01"])).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^DATA-01: /),
    });
    expect((await run(["explain", "DATA-02"])).stdout).toContain(
      "Set delete_on_termination (Pulumi: deleteOnTermination) to false",
    );
    expect((await run(["explain", "META-06"])).stdout).toMatch(/^META-06: A waiver has expired\n/);
    expect(await run(["explain", "DATA-99"])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("unknown rule"),
    });
    expect(await run(["explain", "DATA-01", "DATA-02"])).toMatchObject({
      code: 1,
      stderr: 'kcloud review: unexpected argument "DATA-02"; see kcloud review --help\n',
    });
  });

  test("0: explain without a rule lists all, and docs/rules.md explains each in the same words", async () => {
    const { code, stdout } = await run(["explain", "--policy", policy({}, { "a.js": acme })]);
    const [list = ""] = stdout.split("\n\n");
    const lines = list.split("\n");
    expect([code, lines[0]]).toEqual([0, "ACME-01  low       T"]);
    expect(lines).toContain("META-06  medium    A waiver has expired");
    const page = readFileSync(join(fixtures, "../../../docs/rules.md"), "utf8").replaceAll("\\", "");
    const titles = [...page.matchAll(/^## ([A-Z]+-\d+): (.*)$/gm)].map(([, id, title]) => `${id} ${title}`);
    expect(lines.slice(1).map((line) => line.replace(/ +\w+ +/, " "))).toEqual(titles);
    const { stdout: text } = await run(["explain", "DATA-02"]);
    const [title = "", ...paragraphs] = text.slice(0, text.indexOf("\n\nTo waive it")).split(/\n+/);
    expect(paragraphs).toHaveLength(3);
    expect(page).toContain(`## ${title}\n\n${paragraphs.join("\n\n")}\n`);
  });
});
