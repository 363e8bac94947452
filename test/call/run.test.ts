import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "@jest/globals";
import type { Reply, Transport } from "../../provider/platform/ports.ts";
import { expectRefused, openCallCloud } from "./call-cloud.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "kcloud-call-test-"));
});
afterEach(() => rmSync(folder, { recursive: true }));
const path = (name: string) => join(folder, name);

/** Creates a VPC and returns its ID. */
async function createdVpc({ cloud }: ReturnType<typeof openCallCloud>, name = "shop"): Promise<string> {
  return String((await cloud.run(cloud.create("vpc", { name }))).id);
}

const unknownVpc = "krn:vpc:In-Bangalore-1:000000000000:00000000-0000-4000-8000-000000000000:vpc:9";

/** Returns hooks whose transport replies to requests that match instead of the emulator. */
const replying = (pattern: RegExp, reply: (signal: AbortSignal) => Promise<Reply>) => ({
  wrap: (transport: Transport): Transport => ({
    send: (request, signal) => (pattern.test(request.url) ? reply(signal) : transport.send(request, signal)),
  }),
});
const answered = (status: number, body: string): Reply => ({
  kind: "answer",
  status,
  headers: { "content-type": "application/json", "x-request-id": "request-7" },
  body,
  cut: false,
});

describe("a read", () => {
  test("prints the response as JSON, with control characters by their number", async () => {
    const body = '[{"vpcId":"1","vpcName":"a\\u001b[31m\\u202eb"}]';
    const { call } = openCallCloud(
      {},
      replying(/list/, async () => answered(200, body)),
    );
    expect(await call(["get_vpc_list"])).toEqual({
      code: 0,
      stdout: '[\n  {\n    "vpcId": "1",\n    "vpcName": "a\\u001b[31m\\u202eb"\n  }\n]\n',
      stderr: "",
      questions: [],
    });
  });

  test("shows a listing as a table on a terminal", async () => {
    const opened = openCallCloud();
    const vpcId = await createdVpc(opened);
    const { stdout } = await opened.call(["get_vpc_list"], { showsOutput: true, columns: 200 });
    expect(stdout).toBe(
      `VPCID${" ".repeat(vpcId.length - 5)}  VPCNAME  OPERATING_STATUS\n${vpcId}  shop     ACTIVE\n`,
    );
  });

  test("prints one field as text", async () => {
    const opened = openCallCloud();
    await createdVpc(opened);
    expect(await opened.call(["get_vpc_list", "--field", "0.vpcName"])).toMatchObject({
      code: 0,
      stdout: "shop\n",
    });
    expect(await opened.call(["get_vpc_list", "--field", "0.nope"])).toMatchObject({ code: 1, stdout: "" });
  });

  test("--all prints the rows of all pages as JSON lines, and stops when the reader has enough", async () => {
    const opened = openCallCloud();
    for (const name of ["a", "b", "c"]) await createdVpc(opened, name);
    const args = ["search_vpc", "--all", "--size", "1"];
    const all = await opened.call(args);
    expect(
      all.stdout
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line).name),
    ).toEqual(["a", "b", "c"]);
    opened.sent.length = 0;
    expect((await opened.call(args, { closesAfter: 1 })).code).toBe(0);
    expect(opened.sent.length).toBeLessThan(3);
  });

  test("of an object that does not exist has an exit code of its own", async () => {
    const called = await openCallCloud().call(["get_vpc", "--vpc-id", unknownVpc]);
    expect([called.code, called.stdout]).toEqual([5, ""]);
    expect(called.stderr).toContain("status 404, request id ");
    expect(called.stderr).toContain("kcloud call: Nothing was changed.\n");
  });

  test("shows a response of another form, with a warning", async () => {
    const { call } = openCallCloud(
      {},
      replying(/list/, async () => answered(200, '{"rows":1}')),
    );
    expect(await call(["get_vpc_list"])).toMatchObject({
      code: 0,
      stdout: '{\n  "rows": 1\n}\n',
      stderr: "kcloud call: the response has another form than the table of operations says\n",
    });
  });

  test("prints no secret of the settings that the API returns", async () => {
    const { call } = openCallCloud(
      {},
      replying(/list/, async () => answered(200, '[{"vpcName":"emulator-key"}]')),
    );
    expect((await call(["get_vpc_list"])).stdout).toContain('"vpcName": "***"');
  });

  test("without a response has the exit code of an error", async () => {
    const lost = async (): Promise<Reply> => ({ kind: "lost", reason: "the connection was closed" });
    const called = await openCallCloud({}, replying(/list/, lost)).call(["get_vpc_list"]);
    expect([called.code, called.stderr]).toEqual([1, expect.stringContaining("Nothing was changed.")]);
  });
});

describe("parameters", () => {
  test("have all their problems at once, by the names of their options, and nothing is sent", async () => {
    const { call, sent } = openCallCloud();
    const args = [
      "--vpc-id",
      "krn:vpc:In-Bangalore-1:1:***:vpc:1",
      "--size",
      "ten",
      "--metadata",
      "{a:1}",
      "--yes",
    ];
    const { code, stderr } = await call(["create_volume", ...args]);
    expect(stderr.split("\n")).toEqual([
      "kcloud call: --metadata: is not valid JSON",
      expect.stringMatching(/^kcloud call: --vpc-id: /),
      "kcloud call: --name: is required",
      "kcloud call: --size: must be a number",
      "kcloud call: --volume-type: is required",
      "Try: kcloud call create_volume --help",
      "",
    ]);
    expect([code, sent]).toEqual([2, []]);
  });

  test("that no operation has are quoted, and arguments have no control characters in messages", async () => {
    const { call } = openCallCloud();
    const document = await call(["create_vpc", "--name", "a", "--json", "-", "--yes"], {
      input: '{"Name":"b"}',
    });
    expect([document.code, document.stderr]).toEqual([2, expect.stringContaining('kcloud call: "Name": ')]);
    const option = await call(["create_vpc", "--\u001b[2J", "x"]);
    expect(option.stderr).toContain("unknown option --\\u001b[2J");
  });

  test("that break a rule are reported with the names of options", async () => {
    const { call } = openCallCloud();
    const id = unknownVpc.replaceAll(":vpc:", ":backup:").replace("krn:backup", "krn:vpc");
    const { code, stderr } = await call([
      "restore_backup",
      "--vpc-id",
      unknownVpc,
      "--backup-id",
      id,
      "--yes",
    ]);
    expect([code, stderr.split("\n")[0]]).toEqual([2, "kcloud call: --name: set either it or --volume-id"]);
  });

  test("with a known list of values have a warning for others", async () => {
    const opened = openCallCloud();
    const vpcId = await createdVpc(opened);
    const args = [
      "create_volume",
      "--vpc-id",
      vpcId,
      "--name",
      "data",
      "--size",
      "10",
      "--volume-type",
      "sdd",
    ];
    const { stderr } = await opened.call([...args, "--dry-run"]);
    expect(stderr).toBe('kcloud call: --volume-type: "sdd" is not a known value; did you mean ssd?\n');
  });

  test("are checked before the settings", async () => {
    const environment = { SERVICE_API_KEY: "" };
    const { call } = openCallCloud();
    const missing = await call(["get_volume"], { environment });
    expect([missing.code, missing.stderr]).toEqual([2, expect.stringContaining("--volume-id: is required")]);
    const keyless = await call(["get_vpc_list"], { environment });
    expect([keyless.code, keyless.stderr]).toEqual([1, expect.stringContaining("the API key is missing")]);
  });

  test("that would change the path of a request are refused", async () => {
    const { call, sent } = openCallCloud();
    const { code, stderr } = await call(["delete_rule", "--rule-id", "..", "--yes", "--confirm", ".."]);
    expect([code, sent, stderr]).toEqual([
      2,
      [],
      expect.stringContaining("--rule-id: must not be empty, . or .."),
    ]);
  });
});

describe("a change", () => {
  const args = ["create_vpc", "--name", "shop"];

  test("needs --yes without a terminal", async () => {
    const { call, sent } = openCallCloud();
    expect(await call(args)).toEqual({
      code: 6,
      stdout: "",
      stderr:
        "kcloud call: create_vpc changes something: without a terminal, it needs --yes: nothing was sent\n",
      questions: [],
    });
    expect(sent).toEqual([]);
    expect((await call([...args, "--yes"])).code).toBe(0);
  });

  test("asks on a terminal, and every answer but yes ends it", async () => {
    for (const typed of ["", "n", "no", "yes please", "Y ES"]) {
      const { call, sent } = openCallCloud();
      const called = await call(args, { typed: [typed] });
      expect([typed, called.code, called.questions, sent]).toEqual([typed, 6, ["Send it? [y/N] "], []]);
    }
    for (const typed of ["y", "Y", " yes "])
      expect((await openCallCloud().call(args, { typed: [typed] })).code).toBe(0);
  });

  test("that is billed says so", async () => {
    const { call } = openCallCloud();
    const text = ["detect_language", "--query", "good morning"];
    expect((await call(text)).stderr).toContain("changes something and is billed");
    expect((await call(text, { typed: [""] })).stderr).toContain("Each call is billed.");
  });

  test("that the API refuses has its reason, and changed nothing", async () => {
    const refusing = openCallCloud(
      {},
      replying(/create_vpc/, async () => answered(403, '{"message":"not allowed"}')),
    );
    expect(await refusing.call([...args, "--yes"])).toMatchObject({
      code: 3,
      stderr:
        "kcloud call: The API reports: not allowed. (status 403, request id request-7, POST /v1/highlvlvpc/create_vpc_async)\nkcloud call: Nothing was changed.\n",
    });
  });

  test("without a response may have been executed", async () => {
    const lost = async (): Promise<Reply> => ({ kind: "lost", reason: "the connection was closed" });
    const { call, sent } = openCallCloud({}, replying(/create_vpc/, lost));
    const { code, stderr } = await call([...args, "--yes"]);
    expect([code, sent.length]).toEqual([4, 1]);
    expect(stderr).toContain(
      "The request may have been executed: read the object before you call the operation again.",
    );
  });

  test("whose response is nested too deeply was executed", async () => {
    const deep = `${"[".repeat(50_000)}${"]".repeat(50_000)}`;
    const { call } = openCallCloud(
      {},
      replying(/create_vpc/, async () => answered(200, deep)),
    );
    const called = await call(["create_vpc", "--name", "a", "--yes"]);
    expect([called.code, called.stderr]).toEqual([
      4,
      expect.stringContaining(
        "The operation was executed, but its response cannot be shown: It is nested too deeply.",
      ),
    ]);
  });

  test("that was not sent changed nothing", async () => {
    const unsent = async (): Promise<Reply> => ({ kind: "unsent", reason: "no connection" });
    const { code, stderr } = await openCallCloud({}, replying(/create_vpc/, unsent)).call([...args, "--yes"]);
    expect([code, stderr]).toEqual([1, expect.stringContaining("Nothing was sent.")]);
  });

  test("that is interrupted after it was sent may have been executed, and one that was not sent ends with the signal", async () => {
    const stopping = new AbortController();
    const hanging = (signal: AbortSignal) =>
      new Promise<Reply>((_, reject) => {
        signal.addEventListener("abort", () => reject(signal.reason));
        stopping.abort(new Error("interrupted"));
      });
    const opened = openCallCloud({}, replying(/create_vpc/, hanging));
    expect(await opened.call([...args, "--yes"], { stop: stopping.signal })).toMatchObject({ code: 4 });
    await expect(opened.call([...args, "--yes"], { stop: stopping.signal })).rejects.toThrow("interrupted");
    await expect(opened.call(args, { typed: ["y"], stop: stopping.signal })).rejects.toThrow("interrupted");
  });

  test("ends at --timeout", async () => {
    const hanging = (signal: AbortSignal) =>
      new Promise<Reply>((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
    const { call } = openCallCloud({}, replying(/./, hanging));
    expect(await call([...args, "--yes", "--timeout", "5"])).toMatchObject({ code: 4 });
    const read = await call(["get_vpc_list", "--timeout", "5"]);
    expect([read.code, read.stderr]).toEqual([1, expect.stringContaining("timeout of 5 s expired")]);
  });
});

describe("an operation that destroys", () => {
  test("needs --yes and the ID in --confirm without a terminal", async () => {
    const opened = openCallCloud();
    const vpcId = await createdVpc(opened);
    opened.sent.length = 0;
    const args = ["delete_vpc", "--vpc-id", vpcId];
    const codes = [];
    for (const more of [[], ["--yes"], ["--confirm", vpcId], ["--yes", "--confirm", "shop"]])
      codes.push((await opened.call([...args, ...more])).code);
    expect([codes, opened.sent]).toEqual([[6, 6, 6, 6], []]);
    expect((await opened.call([...args, "--yes"])).stderr).toBe(
      "kcloud call: delete_vpc destroys: without a terminal, it needs --yes and --confirm with the value of --vpc-id: nothing was sent\n",
    );
    expect((await opened.call([...args, "--yes", "--confirm", vpcId])).code).toBe(0);
  });

  test("asks for the ID or the name of the object on a terminal, which --yes does not answer", async () => {
    const opened = openCallCloud();
    const vpcId = await createdVpc(opened);
    const { id } = await opened.cloud.run(
      opened.cloud.create("volume", { name: "data", sizeGb: 10, volumeType: "ssd", vpcId }),
    );
    const args = ["delete_volume", "--vpc-id", vpcId, "--volume-id", String(id)];
    const refused = await opened.call([...args, "--yes"], { typed: ["y"] });
    expect([refused.code, refused.questions]).toEqual([6, [`Type ${id}, or its name, to confirm: `]]);
    expect(refused.stderr).toContain('The object is named "data".');
    expect((await opened.call(args, { typed: ["data"] })).code).toBe(0);
  });

  test("by a GET is decided by its semantics", async () => {
    const { call, sent } = openCallCloud();
    for (const [name, option] of [
      ["cancel_inference_task", "--task-id"],
      ["delete_checkpoint", "--checkpoint"],
    ] as const) {
      const { code, stderr } = await call([name, option, "1", "--yes"]);
      expect([code, stderr]).toEqual([6, expect.stringContaining(`${name} destroys`)]);
      expect((await call([name, option, "1", "--yes", "--confirm", "2"])).code).toBe(6);
    }
    expect(sent).toEqual([]);
  });

  test("on the whole account wants the number of the account", async () => {
    const { call, sent } = openCallCloud();
    const args = ["delete_all_access_keys"];
    expect(await call(args, { typed: ["y"] })).toMatchObject({
      code: 6,
      questions: ["Type 000000000000 to confirm: "],
    });
    expect(await call([...args, "--yes", "--confirm", "delete_all_access_keys"])).toMatchObject({ code: 6 });
    expect(sent).toEqual([]);
    const typed = ["000000000000"];
    expect((await call(args, { typed })).code).toBe(0);
  });

  test("with a one-time password uses that of the settings, or one that is typed", async () => {
    const opened = openCallCloud();
    const key = async () => {
      await opened.call(["create_access_key", "--key-name", "k", "--yes", "--out", path("key.json")]);
      return JSON.parse(readFileSync(path("key.json"), "utf8")).access_key as string;
    };
    const id = await key();
    const args = ["delete_access_key", "--access-key", id];
    const lacking = await opened.call([...args, "--yes", "--confirm", id]);
    expect([lacking.code, lacking.stderr]).toEqual([1, expect.stringContaining("Set SERVICE_OTP")]);
    const asked = await opened.call(args, { typed: [id, "424242"] });
    expect(asked.questions).toEqual([`Type ${id} to confirm: `, "hidden One-time password: "]);
    expect(opened.sent.at(-1)?.text).toBe('{"otp":"424242"}');
    await opened.call([...args, "--yes", "--confirm", id], { environment: { SERVICE_OTP: "515151" } });
    expect(opened.sent.at(-1)?.text).toBe('{"otp":"515151"}');
  });
});

describe("a secret", () => {
  const canary = "canary-Xk29-password";
  const args = ["sign_in_root", "--email", "a@b.example", "--yes"];

  test("is refused as an argument, without being shown", async () => {
    const { call, sent } = openCallCloud();
    for (const given of [[`--password=${canary}`], ["--password", canary]]) {
      const { code, stdout, stderr } = await call([...args, ...given, "--out", path("token.json")]);
      expect([code, sent, stdout]).toEqual([2, [], ""]);
      expect(stderr).toContain(
        "--password is a secret, and other users of this machine can read arguments: set --password-env",
      );
      expect(stderr).not.toContain("canary");
    }
  });

  test("is read from the environment, standard input, a file of mode 600, or a question", async () => {
    const out = ["--out", path("token.json")];
    const document = JSON.stringify({ password: canary });
    writeFileSync(path("password.json"), document);
    chmodSync(path("password.json"), 0o640);
    const shared = await openCallCloud().call([...args, ...out, "--json", path("password.json")]);
    expect([shared.code, shared.stderr]).toEqual([
      2,
      expect.stringContaining(`other users can read it: chmod 600 ${path("password.json")}`),
    ]);
    chmodSync(path("password.json"), 0o600);
    for (const [more, setting] of [
      [["--password-env", "PW"], { environment: { PW: canary } }],
      [["--json", "-"], { input: document }],
      [["--json", path("password.json")], {}],
      [[], { typed: [canary] }],
    ] as const) {
      const { call, sent } = openCallCloud();
      const { stdout, stderr, questions } = await call([...args, ...out, ...more, "--verbose"], setting);
      expect(JSON.parse(sent[0]?.text ?? "")).toEqual({ email: "a@b.example", password: canary });
      expect(`${stdout}${stderr}${questions}`).not.toContain(canary);
      expect(stderr).toContain("route=/iam/v1/signInAsRootUser");
    }
  });

  test("that is missing has the ways to pass it", async () => {
    const { stderr } = await openCallCloud().call([...args, "--out", path("token.json")]);
    expect(stderr).toContain(
      "--password: is required: set --password-env to the name of an environment variable",
    );
  });

  test("is masked in a dry run and in errors of the API, in every encoding", async () => {
    const quoting = replying(/signIn/, async () => answered(400, `{"message":"wrong: ${canary}"}`));
    const { call, sent } = openCallCloud({}, quoting);
    const setting = { environment: { PW: canary } };
    const refused = await call([...args, "--password-env", "PW", "--out", path("t.json")], setting);
    expect(refused.stderr).toContain("wrong: ***");
    sent.length = 0;
    const dry = await call([...args, "--password-env", "PW", "--dry-run"], setting);
    expect([dry.stdout, sent]).toEqual([expect.stringContaining('"password": "***"'), []]);
    expect(existsSync(path("t.json"))).toBe(false);
    expect(readdirSync(folder)).toEqual([]);
  });

  test("in a response goes to a file of mode 600, or to a terminal after a question, and is refused elsewhere before the request", async () => {
    const create = ["create_access_key", "--key-name", "k", "--yes"];
    const { call, sent } = openCallCloud();
    const refused = await call(create);
    expect([refused.code, sent]).toEqual([2, []]);
    expect(refused.stderr).toContain(
      "the response contains a secret (secret_key): use --out FILE, whose mode will be 600",
    );
    writeFileSync(path("key.json"), "before");
    chmodSync(path("key.json"), 0o644);
    expect((await call([...create, "--out", path("key.json")])).code).toBe(0);
    const { secret_key: secret } = JSON.parse(readFileSync(path("key.json"), "utf8"));
    expect([typeof secret, statSync(path("key.json")).mode & 0o777]).toEqual(["string", 0o600]);
    sent.length = 0;
    const declined = await call(create, { showsOutput: true, typed: ["n"] });
    expect([declined.code, sent]).toEqual([2, []]);
    const shown = await call(create, { showsOutput: true, typed: ["y"] });
    expect([shown.code, shown.stdout]).toEqual([0, expect.stringContaining('"secret_key": "')]);
    expect(shown.questions).toEqual(["The response contains a secret. Show it on this terminal? [y/N] "]);
  });
});

describe("options", () => {
  test.each([
    [["get_vpc", "--all"], "get_vpc is no listing: remove --all"],
    [["get_vpc", "--content", "x"], "get_vpc sends no content: remove --content"],
    [["get_vpc", "--confirm", "x"], "get_vpc destroys nothing: remove --confirm"],
    [["get_vpc", "--timeout", "0"], "--timeout must be a whole number of seconds, 1 or more"],
    [
      ["get_vpc", "--out", "-"],
      "--out requires a file; without it, the response is written to standard output",
    ],
    [["get_vpc_list", "--all", "--field", "x"], "--field conflicts with --all"],
    [
      ["extract_document_text", "--json", "-", "--content", "-"],
      "--json and --content cannot both read standard input",
    ],
    [["get_vpc", "--out="], "--out requires a value"],
  ])("%j: %s", expectRefused);

  test("--out writes the whole response or nothing", async () => {
    const { call } = openCallCloud(
      {},
      replying(/list/, async () => answered(500, "{}")),
    );
    writeFileSync(path("list.json"), "before");
    expect((await call(["get_vpc_list", "--out", path("list.json")])).code).toBe(1);
    expect([readFileSync(path("list.json"), "utf8"), readdirSync(folder)]).toEqual(["before", ["list.json"]]);
    const missing = await call(["get_vpc_list", "--out", path("no/list.json")]);
    expect(missing).toMatchObject({ code: 2, stderr: expect.stringContaining("its folder does not exist") });
  });
});

test("an upload and a download stream the content of an object", async () => {
  const opened = openCallCloud();
  const { id } = await opened.cloud.run(opened.cloud.create("bucket", { name: "shop-data" }));
  const content = "x".repeat(400_000);
  writeFileSync(path("content"), content);
  const at = ["--bucket-id", String(id), "--key", "a.txt"];
  expect((await opened.call(["upload_object", ...at, "--yes", "--out", path("put.json")])).code).toBe(0);
  const { preSignedUrl } = JSON.parse(readFileSync(path("put.json"), "utf8"));
  const environment = { URL: preSignedUrl };
  const put = ["put_object_content", "--address-env", "URL", "--content-type", "text/plain", "--yes"];
  const refused = await opened.call([...put, "--content", path("content")], { environment });
  expect([refused.code, refused.stderr]).toEqual([
    6,
    'kcloud call: put_object_content destroys: without a terminal, it needs --yes and --confirm with "put_object_content": nothing was sent\n',
  ]);
  expect(
    await opened.call([...put, "--is-new", "--content", path("content")], { environment }),
  ).toMatchObject({
    code: 0,
    stderr: "",
  });
  put.push("--confirm", "put_object_content");
  expect(await opened.call([...put, "--content", "-"], { environment, input: content })).toMatchObject({
    code: 0,
  });
  await opened.call(["download_object", ...at, "--out", path("get.json")]);
  const address = { URL: JSON.parse(readFileSync(path("get.json"), "utf8")).preSignedUrl };
  const get = ["get_object_content", "--address-env", "URL"];
  expect((await opened.call(get, { environment: address })).stdout).toBe(content);
  expect(await opened.call(get, { environment: address, showsOutput: true })).toMatchObject({ code: 2 });
  await opened.call([...get, "--out", path("copy")], { environment: address });
  expect(readFileSync(path("copy"), "utf8")).toBe(content);
  const dry = await opened.call([...get, "--dry-run"], { environment: address });
  expect(dry.stdout).toBe("GET ***\n");
});
