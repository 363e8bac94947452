import { expect } from "@jest/globals";
import { destroy, refresh, testWithProject, up } from "../support/engine/stack.ts";

/** Billed requests with the real engine. */

testWithProject(
  "a document as output of the stack shows no change after a refresh",
  async ({ emulator, project }) => {
    await project.program(`
        const { DocumentMasking, TextSummary } = require("@kcloud/iac/pulumi");
        const letter = new DocumentMasking("letter", {
          language: "english", fileType: "Digital", content: "Name: Ana", keysToMask: ["Name"],
        });
        const text = "The order is late. Please answer.";
        const short = new TextSummary("short", { text, inputLanguage: "eng", summarySize: 4 });
        Object.assign(exports, { letter, short });
      `);
    const preview = await project.done("preview");
    expect(preview).toContain("Each submitted document is billed.");
    expect(emulator.log.entries()).toEqual([]);
    await project.done(...up);
    await project.done("preview", "--refresh", "--expect-no-changes");
    await project.done(...refresh);
    await project.done("preview", "--expect-no-changes");
    await project.done(...destroy);
    const { mask_document, summarize } = emulator.log.counts();
    expect([mask_document, summarize]).toEqual([1, 1]);
  },
  { taskMs: 200 },
);
