import { readFileSync } from "node:fs";
import { describe, expect, test } from "@jest/globals";
import { parsePostOptions } from "../../../review/command/option.ts";
import { at, describeReview, plan, preview } from "./world.ts";

describeReview("%s", (_, run, _review) => {
  test("sources are below the folder of their program, and findings without one are at it", async () => {
    const ran = await run([
      ...["--in", `app=${preview}`, "--in", `net=${plan}`, "--root", "app=infra/app", "--root", "net=infra"],
      ...["--out", `sarif:${at("r.sarif")}`, "--out", `gitlab:${at("r.json")}`],
    ]);
    expect(ran.code).toBe(3);
    const { results } = JSON.parse(readFileSync(at("r.sarif"), "utf8")).runs[0];
    const uris = results.map(
      (result: { locations: { physicalLocation: { artifactLocation: { uri: string } } }[] }) =>
        result.locations[0]?.physicalLocation.artifactLocation.uri,
    );
    const paths = JSON.parse(readFileSync(at("r.json"), "utf8")).map(
      ({ location }: { location: { path: string } }) => location.path,
    );
    for (const files of [uris, paths])
      expect(new Set(files)).toEqual(new Set(["infra/app/index.js", "infra/app", "infra"]));
    expect(await run(["--in", `net=${plan}`, "--root", "app=infra"])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("--root: no input is called app"),
    });
  });
});

describe("options of review post", () => {
  test("without options, everything but the report is that of the CI system", () => {
    expect(parsePostOptions(["--in", "report.json"])).toEqual({
      path: "report.json",
      stack: undefined,
      target: {
        host: undefined,
        apiUrl: undefined,
        repository: undefined,
        request: undefined,
        revision: undefined,
      },
      isApplied: false,
      setsLabels: false,
      isDryRun: false,
      reportUrl: undefined,
      symbols: "emoji",
    });
  });

  test.each([
    [[], "--in PATH is required; - reads standard input"],
    [["--in", "a", "b"], 'unexpected argument "b"'],
    [["--in", "a", "--host", "gitea"], '--host must be one of github, gitlab, not "gitea"'],
    [["--in", "a", "--token", "x"], "unknown option --token"],
  ])("%j: %s", (args, message) => {
    expect(() => parsePostOptions(args)).toThrow(message);
  });
});
