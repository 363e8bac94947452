import { expect, test } from "@jest/globals";
import { openCallCloud } from "./call-cloud.ts";

test("a dry run shows the request with its headers and body, and without its secrets in any encoding", async () => {
  const { call, sent } = openCallCloud();
  const id = (kind: string) => `krn:x:In-Bangalore-1:0:00000000-0000-4000-8000-000000000000:${kind}:1`;
  const args = [
    ...["--instance-name", "web", "--instance-type", "t", "--vpc-id", id("vpc"), "--subnet-id", id("subnet")],
    ...["--sshkey-name", "k", "--security-groups", "g", "--volumes", "v", "--user-data-env", "DATA"],
  ];
  const environment = { DATA: "#cloud-config\npassword: canary-in-user-data" };
  const { code, stdout, stderr } = await call(["create_instance", ...args, "--dry-run"], { environment });
  expect([code, stderr, sent]).toEqual([0, "", []]);
  expect(stdout.split("\n").slice(0, 8)).toEqual([
    "POST http://127.0.0.1:1/vm/v1/create_instance_async",
    "accept: application/json",
    "user-agent: kcloud/0.1.0 (call)",
    "x-region: In-Bangalore-1",
    "content-type: application/json",
    "authorization: Bearer ***",
    "",
    "{",
  ]);
  expect(stdout).toContain('"user_data": "***"');
  for (const part of ["canary", Buffer.from(environment.DATA).toString("base64"), "substitute"])
    expect(stdout).not.toContain(part);
});

test("a dry run opens no session, signs in nowhere, and needs no confirmation and no one-time password", async () => {
  const { call, sent } = openCallCloud();
  const environment = {
    SERVICE_API_KEY: "",
    SERVICE_EMAIL: "a@b.example",
    SERVICE_PASSWORD: "canary-password",
  };
  const listed = await call(["list_objects", "--bucket-id", "b", "--dry-run"], { environment });
  expect(listed.stdout).toContain("x-session-token: ***");
  const deleted = await call(["delete_access_key", "--access-key", "a/b", "--dry-run"], { environment });
  expect(deleted.stdout).toContain("/access_keys/a%2Fb\n");
  expect([sent, listed.stdout + deleted.stdout]).toEqual([[], expect.not.stringContaining("canary")]);
});

test("a dry run of a content shows its size only", async () => {
  const { stdout } = await openCallCloud().call(
    [
      "extract_document_text",
      "--language",
      "english",
      "--file-type",
      "Digital",
      "--content",
      "-",
      "--dry-run",
    ],
    { input: "canary" },
  );
  expect(stdout).toMatch(/\n\n\(\d+ bytes, with the content\)\n$/);
});
