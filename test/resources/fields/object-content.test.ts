import { rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import { explain } from "../../../provider/core/error.ts";
import { UNKNOWN, type Values } from "../../../provider/core/value.ts";
import { inWordsOf } from "../../../provider/core/wording.ts";
import { engine } from "../../../provider/engine/engine.ts";
import { failure, requests } from "../../support/cloud.ts";
import { folder, md5, object, openBucket, sha256, stored } from "../../support/object-world.ts";

test("a folder, an unreadable file and one with another checksum are rejected with their path", async () => {
  const { inputs } = await openBucket();
  const problemOf = (values: Values) => {
    try {
      inputs(values);
      return undefined;
    } catch (error) {
      return explain(error).detail;
    }
  };
  expect(problemOf({ source: folder })).toBe(`source: ${folder} is not a file`);
  symlinkSync("loop", join(folder, "loop"));
  expect(problemOf({ source: join(folder, "loop") })).toBe(`source: ${folder}/loop cannot be read (ELOOP)`);
  expect(problemOf({ content: "hello", checksum: sha256("other") })).toBe(
    `checksum: does not match the content, whose value is ${sha256("hello")}`,
  );
  expect(problemOf({ content: "a", source: "b" })).toBe(
    "source: conflicts with content: set only one of them",
  );
  expect(problemOf({})).toBe("content, content_base64 or source is required");
  expect(problemOf({ content: "a", key: "a/" })).toBe("key: must not end with /, as those of folders do");
  expect(problemOf({ content: "a", key: "a\nb" })).toBe(
    "key: contains a character that is not allowed in a key",
  );
  expect(problemOf({ content: "a", key: "é".repeat(513) })).toBe("key: must have at most 1024 bytes");
});

test("16 MiB in base64 are accepted, and an invalid character at the end is rejected", async () => {
  const { inputs } = await openBucket();
  const contentBase64 = Buffer.alloc(16 * 1024 * 1024).toString("base64");
  expect(inputs({ contentBase64 }).checksum).toMatch(/^[0-9a-f]{64}$/);
  for (const wrong of ["-", "=", "A", "AAA-", "A===", "===="])
    expect(() => inputs({ contentBase64: contentBase64 + wrong })).toThrow("contentBase64: must be base64");
});

test("a file that the same apply writes is planned with an unknown checksum, and uploaded as it is then", async () => {
  const { cloud, inputs, plan, create, update, read } = await openBucket();
  const source = join(folder, "built.bin");
  const planned = engine.plan(object, undefined, inputs({ source }), cloud.session);
  expect(planned.values.checksum).toBe(UNKNOWN);
  expect(planned.warnings.map(({ summary, detail }) => [summary, inWordsOf("terraform", detail)])).toEqual([
    [
      'The file for the object "notes/a.txt" is not ready',
      `source: ${source} does not exist. The terraform apply (or tofu apply) fails unless it writes the file before.`,
    ],
  ]);
  writeFileSync(source, "first");
  const made = await create({ source });
  expect([stored(cloud), made.values.checksum]).toEqual([[["notes/a.txt", md5("first")]], sha256("first")]);
  expect(plan(made, { source })).toMatchObject({ action: "none", values: { checksum: sha256("first") } });
  writeFileSync(source, "second");
  expect(plan(made, { source })).toMatchObject({ action: "update", values: { checksum: UNKNOWN } });
  const late = { checksum: UNKNOWN, sizeBytes: UNKNOWN, etag: UNKNOWN };
  writeFileSync(source, "first");
  expect(plan(made, { source, contentType: "text/html" })).toMatchObject({ action: "update", values: late });
  rmSync(source);
  expect(plan(made, { source })).toMatchObject({ action: "update", values: { checksum: UNKNOWN } });
  expect(plan(made, { source, contentType: "text/html" })).toMatchObject({ values: late });
  const refusal = explain(await update(made, { source }).catch((error: unknown) => error)).detail;
  expect(refusal).toBe(`source: ${source} does not exist`);
  writeFileSync(source, "third");
  const changed = await update(made, { source });
  expect([stored(cloud), changed.values.checksum]).toEqual([
    [["notes/a.txt", md5("third")]],
    sha256("third"),
  ]);
  expect(await read(changed)).toEqual(changed);
});

test("a replacement whose file does not exist yet is refused in the plan, as the object would be lost", async () => {
  const { cloud, inputs, create } = await openBucket();
  const source = join(folder, "lost.bin");
  writeFileSync(source, "first");
  const made = await create({ source });
  rmSync(source);
  const moved = { ...inputs({ source }), bucketId: "krn:kos:In-Bangalore-1:000000000000:c:bucket:other" };
  const { action, problems } = engine.plan(object, made, moved, cloud.session);
  expect([action, problems]).toEqual([
    "replace",
    [
      {
        path: ["source"],
        problem: `${source} does not exist, and the replacement deletes the object before it reads the file`,
      },
    ],
  ]);
});

test("a configured checksum stays known, and a file that does not match it is not sent", async () => {
  const { cloud, inputs } = await openBucket();
  const source = join(folder, "late.bin");
  const planned = inputs({ source, checksum: sha256("first") });
  writeFileSync(source, "second");
  const plan = engine.plan(object, undefined, planned, cloud.session);
  expect(plan.values.checksum).toBe(sha256("first"));
  expect(plan.warnings.map(({ warning }) => warning.code)).toEqual(["file-unfinished"]);
  const { detail } = explain(
    await failure(cloud.run(engine.create(cloud.session, object, planned, cloud.call))),
  );
  expect(detail).toBe(
    [
      "The configuration is invalid.",
      `source: ${source} does not match checksum: change one of the two.`,
      "Nothing was created.",
      "Run again.",
    ].join("\n"),
  );
  expect(requests(cloud, "upload_object")).toEqual([]);
});
