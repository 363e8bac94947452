import { readFileSync } from "node:fs";
import { expect, test } from "@jest/globals";
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
