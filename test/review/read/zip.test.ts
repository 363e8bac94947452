import { readFileSync } from "node:fs";
import { expect, test } from "@jest/globals";
import { readPlanFile } from "../../../review/read/binary-plan.ts";
import { NotReviewableError } from "../../../review/read/read.ts";
import { engines, planned } from "./plan-file.ts";

test.each(engines.map((engine) => [`${engine.name} ${engine.version}`, engine] as const))(
  "a plan file of %s that is truncated or damaged anywhere is rejected, or has the same version",
  (_, engine) => {
    const content = readFileSync(planned(engine));
    for (let at = 4; at < content.length; at += Math.ceil(content.length / 200)) {
      const damaged = Buffer.from(content);
      damaged[at] = (damaged[at] ?? 0) ^ 0xff;
      for (const bytes of [content.subarray(0, at), damaged])
        try {
          expect(typeof readPlanFile(bytes).version).toBe("string");
        } catch (error) {
          expect(error).toBeInstanceOf(NotReviewableError);
        }
    }
    expect(() => readPlanFile(content.subarray(0, -30))).toThrow(/is truncated/);
  },
);
