import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { accountHeader, region, vpcBody } from "../client.ts";

const main = fileURLToPath(new URL("../../../emulator/cli/main.ts", import.meta.url));
const headers = { authorization: "Bearer emulator-key", "x-region": region };

let folder = "";
let running: ChildProcess[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "emulator-command-"));
  running = [];
});
afterEach(() => {
  for (const child of running) child.kill("SIGKILL");
  rmSync(folder, { recursive: true });
});

function start(args: string[], environment: NodeJS.ProcessEnv = {}) {
  const child = spawn(process.execPath, [main, ...args], {
    stdio: ["ignore", "pipe", "pipe"],
    env: { PATH: process.env.PATH, ...environment },
  });
  running.push(child);
  const output = { out: "", err: "" };
  child.stdout.on("data", (chunk: Buffer) => {
    output.out += chunk;
  });
  child.stderr.on("data", (chunk: Buffer) => {
    output.err += chunk;
  });
  const ended = once(child, "close").then(([code, signal]: (number | string | null)[]) => ({
    code,
    signal,
    ...output,
  }));
  /** Waits until the stream contains the text; resolves to everything written so far. */
  const outputWith = async (stream: "out" | "err", text: string) => {
    const source = stream === "out" ? child.stdout : child.stderr;
    while (!output[stream].includes(text)) await once(source, "data");
    return output[stream];
  };
  /** Resolves to the base address of the emulator, the first line of standard output. */
  const address = async () => (await outputWith("out", "\n")).split("\n")[0] ?? "";
  return { child, ended, outputWith, address };
}

const run = (args: string[], environment?: NodeJS.ProcessEnv) => start(args, environment).ended;

/** Returns the arguments that run JavaScript as the emulator's child command. */
const under = (script: string) => ["--", process.execPath, "-e", script];

test("standard output has the base address, the variables that a provider needs, and a one-time password", async () => {
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    const { child, ended, outputWith, address } = start(["--otp-ms", "60000"]);
    const out = await outputWith("out", "for one delete\n");
    const url = await address();
    expect(
      out.replace(/password \d{8}/, "password N").replace(/^(export SERVICE_OTP_COMMAND=).*$/m, "$1…"),
    ).toBe(`${url}
export SERVICE_BASE_URL='${url}'
export SERVICE_API_KEY='emulator-key'
export SERVICE_REGION='In-Bangalore-1'
export SERVICE_ACCOUNT_ID='000000000000'
export SERVICE_ACCESS_KEY='emulator-access-key'
export SERVICE_SECRET_KEY='emulator-secret-key'
export SERVICE_OTP_COMMAND=…
one-time password N, valid 60 s for one delete
`);
    expect((await fetch(`${url}/_emulator/health`)).status).toBe(200);
    child.kill(signal);
    expect(await ended).toEqual({ code: 0, signal: null, out, err: "" });
  }
});

test("a shell that reads the lines of --env can use the emulator", async () => {
  const { outputWith, child, ended } = start(["--env", "--sign-in"], { SERVICE_REGION: "In-Hyderabad-1" });
  const script = await outputWith("out", "for one delete\n");
  const use = `
    const { SERVICE_BASE_URL: url, SERVICE_EMAIL: email, SERVICE_REGION: region } = process.env;
    fetch(url + "/_emulator/health").then((reply) => console.log(reply.status, email, region))`;
  const shell = spawnSync("sh", ["-euc", `${script}"$NODE" -e "$USE"; sh -c "$SERVICE_OTP_COMMAND"`], {
    env: { PATH: process.env.PATH, NODE: process.execPath, USE: use },
    encoding: "utf8",
  });
  expect(shell).toMatchObject({ status: 0, stderr: "" });
  expect(shell.stdout).toMatch(/^200 user@example.com In-Hyderabad-1\n\d{8}\n$/);
  child.kill();
  await ended;
});

test("--otp prints a one-time password of a running emulator", async () => {
  const { child, ended, address } = start([]);
  const url = await address();
  const passwords = [await run(["--otp", url]), await run(["--otp", url])].map(({ code, out, err }) => {
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(out).toMatch(/^\d{8}\n$/);
    return out;
  });
  expect(new Set(passwords).size).toBe(2);
  child.kill();
  await ended;
  expect(await run(["--otp", url])).toMatchObject({
    out: "",
    err: expect.stringContaining(`no emulator answers at ${url}`),
  });
});

test("a one-time password that was used is followed by a new one", async () => {
  const { outputWith, address } = start([]);
  const out = await outputWith("out", "for one delete\n");
  const password = /password (\d{8})/.exec(out)?.[1] ?? "";
  const url = await address();
  const send = (method: string, path: string, body: object) =>
    fetch(`${url}/kos/v1/buckets${path}`, {
      method,
      headers: { ...headers, ...accountHeader },
      body: JSON.stringify(body),
    });
  const { krn } = (await (await send("POST", "", { name: "data" })).json()) as { krn: string };
  expect((await send("DELETE", `/${krn}`, { otp: password })).status).toBe(204);
  const next = (await outputWith("out", `${out}one-time password `)).slice(out.length);
  expect(next).not.toContain(password);
});

test("a signal ends the emulator even while a request waits", async () => {
  const { child, ended, address } = start(["--latency-ms", "600000"]);
  const url = await address();
  const waiting = fetch(`${url}/v1/highlvlvpc/get_vpc_list`, { headers });
  await fetch(`${url}/_emulator/health`);
  child.kill("SIGTERM");
  await expect(waiting).rejects.toThrow("fetch failed");
  expect((await ended).code).toBe(0);
});

test("a command receives the address, the key and a region, and its exit code is returned", async () => {
  const script = `
    const { SERVICE_BASE_URL: url, SERVICE_API_KEY: key, SERVICE_REGION: region } = process.env;
    fetch(url + "/v1/highlvlvpc/get_vpc_list", { headers: { authorization: "Bearer " + key, "x-region": region } })
      .then((reply) => { console.log(reply.status, key, region); process.exitCode = 7; });`;
  expect(await run(under(script))).toEqual({
    code: 7,
    signal: null,
    out: "200 emulator-key In-Bangalore-1\n",
    err: "",
  });
});

test("a scenario is made in an empty state, in the region of the command, weeks ago, and is kept in the state", async () => {
  const script = `
    const { SERVICE_BASE_URL: url, SERVICE_REGION: region } = process.env;
    fetch(url + "/_emulator/state").then((reply) => reply.json()).then((all) => console.log(
      all.filter((item) => item.region === region).length, all.length,
      Math.round((Date.now() - Math.min(...all.map(({ createdAt }) => createdAt))) / 86400000)));`;
  const args = ["--state", join(folder, "cloud.json"), "--scenario", "existing-account", ...under(script)];
  const first = await run(args, { SERVICE_REGION: "In-Hyderabad-1" });
  // The inference task is in no region.
  expect(first).toMatchObject({ code: 0, out: "55 56 90\n", err: "" });
  expect(await run(args, { SERVICE_REGION: "In-Hyderabad-1" })).toEqual(first);
  const refused = await run(["--scenario", "existing-account", "--assume", "userDataForm=base64"]);
  expect(refused).toMatchObject({
    code: 1,
    err: "kcloud emulator: the scenario existing-account cannot be made with these settings: create_instance is answered 400: user_data: must be base64\n",
  });
});

test("an inventory is read once into an empty state; options replace its account", async () => {
  const krn =
    "krn:vpc:In-Pune-9:12:00000000-0000-4000-8000-000000000001:vpc:00000000-0000-4000-8000-00000000000a";
  const file = join(folder, "inventory.json");
  writeFileSync(
    file,
    JSON.stringify({
      ...{ version: 1, time: "2025-01-01T00:00:00Z", account: "12", assumed: ["the size of x"] },
      objects: [{ kind: "vpc", krn, name: "net" }],
    }),
  );
  const script = `
    const { SERVICE_BASE_URL: url, SERVICE_ACCOUNT_ID: account } = process.env;
    fetch(url + "/_emulator/inventory").then((reply) => reply.json()).then(({ objects }) =>
      console.log(account, objects.map(({ name }) => name).join()));`;
  const args = ["--state", join(folder, "seeded.json"), "--inventory", file, ...under(script)];
  expect(await run(args)).toMatchObject({ code: 0, out: "12 net\n", err: "assumed: the size of x\n" });
  expect(await run(["--account", "7", "--inventory", file, ...under(script)])).toMatchObject({
    out: "7 net\n",
  });
  writeFileSync(file, "{");
  expect(await run(args)).toMatchObject({ code: 0 });
  expect(await run(["--inventory", file, ...under(script)])).toMatchObject({
    code: 1,
    err: `kcloud emulator: the inventory ${file} cannot be used: it is not JSON, or is truncated\n`,
  });
  expect(await run(["--inventory", file, "--scenario", "existing-account"])).toMatchObject({
    code: 2,
    err: expect.stringContaining("--scenario cannot be used with --inventory or --from-state"),
  });
});

test("a command receives the account and the one-time password command, and none of another cloud", async () => {
  const script = `
    const { execSync } = require("node:child_process");
    const { SERVICE_ACCOUNT_ID: account, SERVICE_OTP_COMMAND: line, SERVICE_OTP: one = "none" } = process.env;
    console.log(account, String(execSync(line)).trim(), one);`;
  const { out } = await run(under(script), { SERVICE_OTP: "real", SERVICE_OTP_COMMAND: "echo real" });
  expect(out).toMatch(/^000000000000 \d{8} none\n$/);
});

test("the emulator ignores SIGHUP if neither input nor output is a terminal, as under nohup", async () => {
  const { child, ended, address } = start([]);
  const url = await address();
  child.kill("SIGHUP");
  expect((await fetch(`${url}/_emulator/health`)).ok).toBe(true);
  child.kill("SIGTERM");
  expect(await ended).toMatchObject({ code: 0, signal: null });
});

test("a command under an emulator that ignores SIGHUP ignores it too", async () => {
  const script = 'kill -HUP "$PPID"; kill -HUP "$$"; echo "both run"';
  expect(await run(["--", "/bin/sh", "-c", script])).toMatchObject({ code: 0, out: "both run\n", err: "" });
});

test("SIGHUP of a closed terminal ends the emulator", async () => {
  const state = join(folder, "terminal.json");
  // `script` runs a command in a pseudo-terminal, which closes when it is killed.
  const line = [process.execPath, main, "--state", state].map((word) => `'${word}'`).join(" ");
  const terminal = spawn("script", ["-qfec", line, "/dev/null"], { stdio: ["ignore", "pipe", "ignore"] });
  running.push(terminal);
  let printed = "";
  for await (const part of terminal.stdout) {
    printed += part;
    if (printed.includes("SERVICE_OTP_COMMAND")) break;
  }
  terminal.kill("SIGKILL");
  // The state file is locked as long as the emulator runs.
  let code: number | string | null = 1;
  for (let tries = 0; code !== 0 && tries < 50; tries++)
    ({ code = 1 } = await run(["--state", state, ...under("")]));
  expect(code).toBe(0);
});

test("a command receives the emulator as the only address that it may use", async () => {
  const script = under("console.log(process.env.KCLOUD_ONLY === process.env.SERVICE_BASE_URL)");
  expect((await run(script, { KCLOUD_ONLY: "https://cloud.example" })).out).toBe("true\n");
});

test("--otp sends nothing to another address than the allowed one", async () => {
  const canary = createServer();
  let connections = 0;
  canary.on("connection", (socket) => {
    connections += 1;
    socket.destroy();
  });
  canary.listen(0, "127.0.0.1");
  await once(canary, "listening");
  const url = `http://127.0.0.1:${(canary.address() as AddressInfo).port}`;
  for (const only of ["http://127.0.0.1:1", "", "none"])
    expect(await run(["--otp", url], { KCLOUD_ONLY: only })).toMatchObject({
      code: 1,
      err: `kcloud emulator: ${url} is not allowed: KCLOUD_ONLY allows only ${JSON.stringify(only)}\n`,
    });
  canary.close();
  expect(connections).toBe(0);
});

test("a region in the environment is kept", async () => {
  const script = under("console.log(process.env.SERVICE_REGION)");
  const region = async (environment: NodeJS.ProcessEnv) => (await run(script, environment)).out;
  expect(await region({ SERVICE_REGION: "In-Hyderabad-1" })).toBe("In-Hyderabad-1\n");
  expect(await region({ KCLOUD_REGION: "In-Hyderabad-1" })).toBe("In-Hyderabad-1\n");
  expect(await region({ SERVICE_REGION: "In-Pune-1", KCLOUD_REGION: "In-Hyderabad-1" })).toBe("In-Pune-1\n");
});

test("with --sign-in, a command receives e-mail and password, and no credential of another cloud", async () => {
  const names = ["SERVICE_API_KEY", "SERVICE_EMAIL", "SERVICE_PASSWORD", "SERVICE_CUSTOMER_ID"];
  const script = `console.log(${JSON.stringify(names)}.map((name) => process.env[name]).join(" "))`;
  const real = {
    SERVICE_API_KEY: "real",
    SERVICE_EMAIL: "me@example.org",
    SERVICE_PASSWORD: "real",
    SERVICE_CUSTOMER_ID: "real",
  };
  expect((await run(under(script), real)).out).toBe("emulator-key   \n");
  const signIn = ["--sign-in", "--email", "you@example.org", ...under(script)];
  expect((await run(signIn, real)).out).toBe(" you@example.org emulator-password \n");
});

test("the arguments after the command are passed to it", async () => {
  const script = "console.log(process.argv.slice(1).join(' '))";
  const result = await run(["--port", "0", ...under(script), "--", "--help", "--port"]);
  expect([result.code, result.out]).toEqual([0, "--help --port\n"]);
});

test.each(["SIGINT", "SIGTERM", "SIGHUP"] as const)(
  "%s is forwarded to the command, which sets the exit code",
  async (signal) => {
    const script = `
    process.on(${JSON.stringify(signal)}, () => { console.log("got it"); process.exit(3); });
    setInterval(() => {}, 1000);
    console.log("ready");`;
    const { child, ended, outputWith } = start(under(script));
    await outputWith("out", "ready");
    child.kill(signal);
    expect(await ended).toEqual({ code: 3, signal: null, out: "ready\ngot it\n", err: "" });
  },
);

test("the exit code after a signal is 128 plus its number", async () => {
  expect((await run(under("process.kill(process.pid, 'SIGKILL')"))).code).toBe(137);
  const { child, ended, outputWith } = start(under("setInterval(() => {}, 1000); console.log('ready')"));
  await outputWith("out", "ready");
  child.kill("SIGTERM");
  expect((await ended).code).toBe(143);
});

test("a command that does not exist ends with exit code 127", async () => {
  expect(await run(["--", join(folder, "none")])).toEqual({
    code: 127,
    signal: null,
    out: "",
    err: `kcloud emulator: cannot run ${join(folder, "none")} (ENOENT)\n`,
  });
});

test("invalid arguments end with exit code 2", async () => {
  for (const [args, message] of [
    [["--prot", "1"], "unknown option --prot"],
    [
      ["--fault", "create_vp=503"],
      "no operation is called create_vp; `kcloud emulator --operations` lists them",
    ],
  ] as const) {
    expect(await run([...args])).toEqual({
      code: 2,
      signal: null,
      out: "",
      err: `kcloud emulator: ${message}\nTry: kcloud emulator --help\n`,
    });
  }
});

test("the list of operations is printed", async () => {
  const operations = await run(["--operations"]);
  expect(operations.out).toMatch(/^2\.1 +create_vpc +built +seed +POST \/v1\/highlvlvpc\/create_vpc_async$/m);
  expect(operations.out).toContain("501");
});

test("the settings, faults and assumptions of the command line take effect", async () => {
  const { address } = start([
    "--seed=x",
    ...["--task-ms", "1", "--listing-lag-ms", "2", "--latency-ms", "3", "--rate-limit", "1000"],
    ...["--fault", "create_vpc#1=503", "--fault", "*#5=reset"],
    ...["--assume", "vpcCreateAnswersEmpty=true", "--assume", "errorBody=msg", "--clock", "manual"],
  ]);
  const url = await address();
  const read = async (path: string) => (await fetch(`${url}/_emulator/${path}`)).json();
  expect(await read("health")).toMatchObject({ seed: "x", clock: { kind: "manual" } });
  expect(await read("settings")).toMatchObject({
    taskMs: 1,
    listingLagMs: 2,
    latencyMs: 3,
    rateLimit: 1000,
    assume: { vpcCreateAnswersEmpty: true, errorBody: "msg", equalNames: true },
  });
  expect(await read("faults")).toMatchObject([
    { kind: "503", from: 1, times: 1 },
    { kind: "reset", from: 5 },
  ]);
});

test("with --verbose, each request is a line on standard error", async () => {
  const { outputWith, address } = start(["--verbose"]);
  const url = await address();
  await fetch(`${url}/v1/highlvlvpc/get_vpc_list`, { headers });
  expect(await outputWith("err", "\n")).toMatch(
    /^\S+Z request-1 GET \/v1\/highlvlvpc\/get_vpc_list get_vpc_list 200 \d+ ms\n$/,
  );
});

test("the error about a port in use names the port and a remedy", async () => {
  const { address } = start([]);
  const { port } = new URL(await address());
  expect(await run(["--port", port])).toEqual({
    code: 1,
    signal: null,
    out: "",
    err: `kcloud emulator: port ${port} of 127.0.0.1 is in use: choose another --port, or leave it out for any free one\n`,
  });
});

test("a state file that cannot be used is an error that names it", async () => {
  const state = join(folder, "none", "state.json");
  const { code, err } = await run(["--state", state]);
  expect(code).toBe(1);
  expect(err).toContain(`kcloud emulator: the state file ${state} cannot be written`);
});

test("a second emulator on the same state file is refused while the first runs", async () => {
  const state = join(folder, "state.json");
  const { child, ended, outputWith } = start(["--state", state]);
  await outputWith("out", "\n");
  const { code, err } = await run(["--state", state]);
  expect(code).toBe(1);
  expect(err).toBe(
    `kcloud emulator: the state file ${state} is in use by the emulator of process ${child.pid}; ` +
      `stop that one, name another file or, if it is no emulator, delete ${state}.lock\n`,
  );
  child.kill("SIGTERM");
  await ended;
  expect((await run(["--state", state, ...under("")])).code).toBe(0);
});

test("after a kill and a restart, every change with a response is still there", async () => {
  const state = join(folder, "state.json");
  const answered: string[] = [];
  let count = 0;
  for (let round = 0; round < 3; round += 1) {
    const { child, ended, address } = start(["--state", state, "--task-ms", "0"]);
    const url = await address();
    const client = async () => {
      for (;;) {
        count += 1;
        const name = `net-${count}`;
        const request = { method: "POST", headers, body: JSON.stringify(vpcBody(name)) };
        const reply = await fetch(`${url}/v1/highlvlvpc/create_vpc_async`, request);
        await reply.json();
        answered.push(name);
        if (answered.length % 20 === 0) child.kill("SIGKILL");
      }
    };
    const clients = await Promise.allSettled([client(), client(), client()]);
    expect(clients.map(({ status }) => status)).toEqual(["rejected", "rejected", "rejected"]);
    expect((await ended).signal).toBe("SIGKILL");
  }
  const { address } = start(["--state", state]);
  const url = await address();
  const rows = (await (await fetch(`${url}/v1/highlvlvpc/get_vpc_list`, { headers })).json()) as {
    vpcId: string;
    vpcName: string;
    operating_status: string;
  }[];
  const names = rows.map(({ vpcName }) => vpcName);
  expect(answered.length).toBeGreaterThanOrEqual(60);
  expect(names).toEqual(expect.arrayContaining(answered));
  expect(new Set(rows.map(({ vpcId }) => vpcId)).size).toBe(rows.length);
  expect(new Set(names).size).toBe(names.length);
  expect(rows.every((row) => row.operating_status === "ACTIVE")).toBe(true);
});
