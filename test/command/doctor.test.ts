import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, describe, expect, test } from "@jest/globals";
import { createEmulator, type EmulatorOptions, realClock } from "../../emulator/emulator.ts";
import { parseFault } from "../../emulator/fault/notation.ts";
import manifest from "../../package.json" with { type: "json" };
import { ensureEngine } from "../../tools/engines/engine.ts";
import { expectGolden } from "../support/golden.ts";
import { program, type Ran } from "./kcloud.ts";

/** Runs `kcloud doctor` against the emulator with the real engines, on healthy and broken setups. */

const terraform = await ensureEngine("terraform");
const tofu = await ensureEngine("opentofu");

let root: string;
let home: string;
let bin: string;
let closers: (() => Promise<unknown>)[];

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "kcloud-doctor-")));
  [home, bin] = [join(root, "home"), join(root, "bin")];
  for (const folder of [home, bin]) mkdirSync(folder);
  symlinkSync(process.execPath, join(bin, "node"));
  for (const { path } of [terraform, tofu]) symlinkSync(path, join(bin, basename(path)));
  closers = [];
});

afterEach(async () => {
  for (const close of closers) await close();
  rmSync(root, { recursive: true });
});

/** Starts an emulator; returns the environment variables of a setup that works with it. */
async function setUp(options: EmulatorOptions = {}, faults: readonly string[] = []) {
  const emulator = createEmulator(options);
  for (const fault of faults) emulator.faults.add(parseFault(fault));
  const { url, close } = await emulator.listen();
  closers.push(close);
  return { SERVICE_BASE_URL: url, SERVICE_API_KEY: "emulator-key", SERVICE_REGION: "In-Bangalore-1" };
}

/** Runs the doctor; replaces paths, the port and the versions of this machine by placeholders. */
async function doctor(environment: NodeJS.ProcessEnv, ...args: readonly string[]): Promise<Ran> {
  const url = environment.SERVICE_BASE_URL ?? environment.KCLOUD_BASE_URL ?? "http://none";
  const options = { env: { PATH: bin, HOME: home, ...environment } };
  const { code, stdout, stderr } = await promisify(execFile)(
    process.execPath,
    ["--no-warnings", program, "doctor", ...args],
    options,
  ).then(
    (streams) => ({ code: 0, ...streams }),
    (error: Ran) => error,
  );
  const named = (text: string) =>
    text
      .replaceAll(url, "ADDRESS")
      .replaceAll(url.replace("http://", ""), "HOST")
      .replaceAll(root, "ROOT")
      .replaceAll(join(program, "../dist"), "PACKAGE")
      .replaceAll(process.versions.node, "VERSION")
      .replaceAll(` ${terraform.version}, `, " VERSION, ")
      .replaceAll(` ${tofu.version}, `, " VERSION, ");
  return { code, stdout: named(stdout), stderr };
}

/** Writes a script that replaces a program on PATH. */
function script(name: string, body: string): void {
  rmSync(join(bin, name), { force: true });
  writeFileSync(join(bin, name), `#!/bin/sh\n${body}\n`, { mode: 0o755 });
}

/** Returns the lines of a check and its remedy. */
const about = ({ stdout }: Ran, check: string) => {
  const lines = stdout.split("\n");
  return lines
    .filter(
      (line, at) =>
        line.slice(8).startsWith(check) || (/^ +\S/.test(line) && lines[at - 1]?.slice(8).startsWith(check)),
    )
    .map((line) => line.trim().replace(/ +/g, " "));
};

async function closedPort(): Promise<string> {
  const server = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return `http://127.0.0.1:${port}`;
}

async function serve(handler: Parameters<typeof createServer>[1]): Promise<string> {
  const server: Server = createServer(handler as never).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  closers.push(async () => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test("the findings of a healthy setup and of five broken ones", async () => {
  const real = realClock();
  const later = { clock: { ...real, now: () => real.now() + 660_000 } };
  const cases: [string, () => Promise<NodeJS.ProcessEnv>][] = [
    ["healthy", () => setUp()],
    ["wrong address", async () => ({ ...(await setUp()), SERVICE_BASE_URL: await closedPort() })],
    ["wrong key", async () => ({ ...(await setUp()), SERVICE_API_KEY: "not-this-key" })],
    ["wrong region", async () => ({ ...(await setUp()), SERVICE_REGION: "In-Bangalor-1" })],
    ["clock off", () => setUp(later)],
    [
      "no engine on PATH, and an old Node",
      async () => {
        for (const name of ["terraform", "tofu"]) rmSync(join(bin, name));
        script("node", "echo v20.20.2");
        return setUp();
      },
    ],
  ];
  const texts: string[] = [];
  for (const [name, environment] of cases) {
    const { code, stdout, stderr } = await doctor(await environment());
    expect([name, code, stderr]).toEqual([name, name === "healthy" ? 0 : 1, ""]);
    // The header of a response has whole seconds, and the response takes some time.
    texts.push(`# ${name}\n${stdout.replace(/\b6[0-6]\d s\b/, "660 s")}`);
  }
  expectGolden("doctor.txt", texts.join("\n"));
});

test("under KCLOUD_ONLY nothing is sent to another address, and an invalid value is a failed check", async () => {
  let requests = 0;
  const url = await serve((_, response) => {
    requests += 1;
    response.end();
  });
  const environment = { SERVICE_BASE_URL: url, SERVICE_API_KEY: "key-1" };
  const other = await doctor({ ...environment, KCLOUD_ONLY: "https://cloud.example" });
  const wrong = await doctor({ ...environment, KCLOUD_ONLY: "" });
  expect([other.code, wrong.code, requests]).toEqual([1, 1, 0]);
  expect(other.stdout).toMatch(/is not allowed: KCLOUD_ONLY allows only https:\/\/cloud\.example/);
  expect(wrong.stdout).toContain("FAILED  settings         KCLOUD_ONLY is empty");
  expect(wrong.stdout).toContain("Correct or unset KCLOUD_ONLY.");
});

test("the settings of KCLOUD_* and of a profile are checked like those of SERVICE_*", async () => {
  const { SERVICE_BASE_URL: url, SERVICE_API_KEY: key } = await setUp();
  const file = join(home, ".config/kcloud/profiles.json");
  mkdirSync(join(file, ".."), { recursive: true });
  writeFileSync(file, JSON.stringify({ default: { region: "In-Hyderabad-1" } }), { mode: 0o600 });
  const ran = await doctor({ KCLOUD_BASE_URL: url, KCLOUD_API_KEY: key });
  expect(ran.code).toBe(0);
  expect(about(ran, "settings")).toEqual([
    "ok settings complete: KCLOUD_BASE_URL, KCLOUD_API_KEY, a profile",
  ]);
  expect(about(ran, "region")).toEqual(["ok region In-Hyderabad-1 has 3 instance types"]);
});

describe("settings that are missing or invalid", () => {
  test.each<[NodeJS.ProcessEnv, string[]]>([
    [
      { SERVICE_BASE_URL: "no address", SERVICE_API_KEY: "key-1" },
      [
        "FAILED settings SERVICE_BASE_URL is not an address such as https://cloud.example",
        "Correct or unset SERVICE_BASE_URL.",
      ],
    ],
    [
      { KCLOUD_BASE_URL: "https://cloud.example", KCLOUD_API_KEY: "Bearer key-1" },
      [
        'FAILED settings KCLOUD_API_KEY must be the raw API key, without the "Bearer " prefix',
        "Correct or unset KCLOUD_API_KEY.",
      ],
    ],
    [
      { SERVICE_BASE_URL: "http://127.0.0.1:1" },
      [
        "FAILED settings api_key: the API key is missing: set api_key or SERVICE_API_KEY. Or sign in: set email and password, or SERVICE_EMAIL and SERVICE_PASSWORD. To try it without an account, run your command under `kcloud emulator -- …`.",
        "Set SERVICE_API_KEY, or api_key in a profile.",
      ],
    ],
    [
      { SERVICE_BASE_URL: "http://127.0.0.1:1", KCLOUD_EMAIL: "a@cloud.example", SERVICE_PASSWORD: "secret" },
      [
        "FAILED settings KCLOUD_EMAIL: the parts of one credential must have the same prefix, but KCLOUD_EMAIL and SERVICE_PASSWORD are set",
        "Correct or unset KCLOUD_EMAIL.",
      ],
    ],
    [
      { SERVICE_PROFILE_FILE: "/missing.json" },
      ["FAILED settings profile: /missing.json cannot be read", "Correct the profile file."],
    ],
    [
      { SERVICE_BASE_URL: "https://cloud.example", SERVICE_API_KEY: "key-1", SERVICE_OTP: "1 2" },
      ["FAILED settings SERVICE_OTP contains whitespace", "Correct or unset SERVICE_OTP."],
    ],
  ])("%j", async (environment, lines) => {
    const ran = await doctor(environment, "--timeout", "5");
    expect([ran.code, about(ran, "settings")]).toEqual([1, lines]);
  });
});

test("with incomplete settings, only the address of the API is checked", async () => {
  const { SERVICE_BASE_URL } = await setUp();
  const ran = await doctor({ SERVICE_BASE_URL });
  expect(about(ran, "address")).toEqual(["ok address ADDRESS responds (HTTP 404)"]);
  for (const check of ["credentials", "region"])
    expect(about(ran, check)).toEqual([`note ${check} not checked: the settings are incomplete`]);
});

test("a sign-in is checked; the remedy of a rejected one names its variables", async () => {
  const { SERVICE_API_KEY: _, ...rest } = await setUp();
  const login = { ...rest, KCLOUD_EMAIL: "user@example.com" };
  const right = await doctor({ ...login, KCLOUD_PASSWORD: "emulator-password" });
  expect(about(right, "credentials")).toEqual([
    "ok credentials the API accepts the sign-in of user@example.com",
  ]);
  const wrong = await doctor({ ...login, KCLOUD_PASSWORD: "another-password" });
  expect(wrong.code).toBe(1);
  expect(about(wrong, "credentials")[1]).toBe(
    "Set a valid KCLOUD_EMAIL and KCLOUD_PASSWORD, or SERVICE_API_KEY instead.",
  );
});

test.each([
  ["search_vpc=403", "Use credentials that may list VPCs."],
  ["search_vpc=404", "Check that SERVICE_BASE_URL is the address of the API."],
  ["search_vpc=html-200", "Check that SERVICE_BASE_URL is the address of the API."],
])("credentials that cannot be checked because of %s have a remedy", async (fault, remedy) => {
  const ran = await doctor(await setUp({}, [fault]));
  expect([ran.code, about(ran, "credentials")[1]]).toEqual([1, remedy]);
  expect(about(ran, "region")).toEqual(["note region not checked: the credentials are not accepted"]);
});

test("a region that is missing, or has no instance types, is a note", async () => {
  const { SERVICE_REGION: _, ...rest } = await setUp();
  const remedy = "Set SERVICE_REGION to a region of the account, such as In-Bangalore-1.";
  const none = await doctor(rest);
  expect([none.code, about(none, "region")]).toEqual([
    0,
    ["note region none is set, so each resource must have its own", remedy],
  ]);
  const empty = await doctor(await setUp({}, ["list_flavors=empty-list"]));
  expect([empty.code, about(empty, "region")]).toEqual([
    0,
    ["note region In-Bangalore-1 lists no instance type", remedy],
  ]);
});

test("a server that does not respond ends the check at its timeout", async () => {
  const url = await serve(() => {});
  const ran = await doctor({ SERVICE_BASE_URL: url, SERVICE_API_KEY: "key-1" }, "--timeout", "1");
  expect([ran.code, about(ran, "address")]).toEqual([
    1,
    ["FAILED address no response within 1 s", "Check the network; --timeout 3 waits longer."],
  ]);
});

test("a response that takes too long ends the other checks at their timeouts", async () => {
  const late = { "search_vpc=hang": "credentials", "list_flavors=hang": "region" };
  for (const [fault, check] of Object.entries(late)) {
    const ran = await doctor(await setUp({}, [fault]), "--timeout", "1");
    expect([ran.code, about(ran, check)[0]]).toEqual([1, `FAILED ${check} no response within 1 s`]);
  }
});

test("the finding of an engine that fails or does not end has the reason", async () => {
  script("terraform", "echo 'Starting' >&2; echo 'no licence' >&2; exit 3");
  script("tofu", "exec /bin/sleep 60");
  script("pulumi", "echo nothing");
  const ran = await doctor(await setUp(), "--timeout", "2");
  expect(ran.code).toBe(1);
  expect(about(ran, "terraform ").slice(0, 2)).toEqual([
    "FAILED terraform ROOT/bin/terraform fails (3): no licence",
    "Install terraform again, or remove it from PATH.",
  ]);
  expect(about(ran, "tofu")[0]).toBe("FAILED tofu ROOT/bin/tofu does not end within 2 s");
  expect(about(ran, "pulumi ")[0]).toBe("FAILED pulumi ROOT/bin/pulumi shows no version");
});

test("plugins are found where engines look for them, and another version is a note", async () => {
  const { version } = manifest;
  script("pulumi", "echo v3.259.0");
  const platform = `${process.platform}_${process.arch === "x64" ? "amd64" : process.arch}`;
  const provider = join(root, "mirror/registry.terraform.io/kcloud/kcloud");
  mkdirSync(join(provider, "0.0.9", platform), { recursive: true });
  mkdirSync(join(home, ".pulumi/plugins", "resource-kcloud-v0.0.9"), { recursive: true });
  const mirror = JSON.stringify(join(root, "mirror"));
  const block = `provider_installation {\n  filesystem_mirror {\n    path = ${mirror}\n  }\n}\n`;
  writeFileSync(join(home, ".tofurc"), block);
  const environment = await setUp();
  const other = await doctor(environment);
  expect([other.code, about(other, "terraform plugin")]).toEqual([
    0,
    [
      `note terraform plugin 0.0.9, ROOT/mirror; this command is ${version}`,
      `kcloud install terraform --write installs ${version}.`,
    ],
  ]);
  writeFileSync(join(provider, `terraform-provider-kcloud_${version}_${platform}.zip`), "");
  mkdirSync(join(home, ".pulumi/plugins", `resource-kcloud-v${version}`));
  const same = await doctor(environment);
  expect(about(same, "terraform plugin")).toEqual([`ok terraform plugin ${version}, ROOT/mirror`]);
  expect(about(same, "pulumi plugin")).toEqual([`ok pulumi plugin ${version}, ROOT/home/.pulumi/plugins`]);
});

test("secrets of both prefixes are redacted in the texts of servers and programs", async () => {
  const secrets = {
    SERVICE_API_KEY: "first-secret-1",
    KCLOUD_API_KEY: "second-secret-2",
    KCLOUD_PASSWORD: "third-secret-3",
    SERVICE_SECRET_KEY: "fourth-secret-4",
    SERVICE_ACCESS_KEY: "AK1",
    KCLOUD_OTP: "fifth-secret-5",
  };
  const words = Object.values(secrets).filter((word) => word !== "AK1");
  const url = await serve((_, response) => {
    response.writeHead(401, { "content-type": "application/json" });
    response.end(JSON.stringify({ message: words.join(" ") }));
  });
  script("terraform", `echo "${words.join(" ")}" >&2; exit 1`);
  for (const args of [[], ["--json"]]) {
    const { code, stdout, stderr } = await doctor({ SERVICE_BASE_URL: url, ...secrets }, ...args);
    expect([code, stderr]).toEqual([1, ""]);
    expect(stdout.match(/(\*\*\* ){4}\*\*\*/g)).toHaveLength(2);
    for (const word of words) expect(stdout).not.toContain(word);
  }
});

test("--json has the same checks", async () => {
  const environment = { ...(await setUp()), SERVICE_API_KEY: "not-this-key" };
  const { code, stdout } = await doctor(environment, "--json");
  const { version, ok, checks } = JSON.parse(stdout);
  expect([code, version, ok]).toEqual([1, manifest.version, false]);
  expect(checks).toContainEqual({ check: "address", status: "ok", text: "ADDRESS responds (HTTP 404)" });
  expect(checks).toContainEqual({
    check: "credentials",
    status: "failed",
    text: expect.stringContaining("the API key was rejected"),
    remedy: "Set a valid SERVICE_API_KEY.",
  });
});

test.each([
  [["--jsno"], "unknown option --jsno"],
  [["all"], 'unexpected argument "all"'],
  [["--timeout"], "--timeout requires a value"],
  [["--timeout", "0"], '--timeout must be a whole number from 1 to 9999, not "0"'],
])("the arguments %j are rejected", async (args, problem) => {
  expect(await doctor({}, ...args)).toMatchObject({
    code: 2,
    stdout: "",
    stderr: `kcloud doctor: ${problem}\nTry: kcloud doctor --help\n`,
  });
});
