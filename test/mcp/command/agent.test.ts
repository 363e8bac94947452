import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { publicKey } from "../../resources/public-key.ts";
import { expectGolden } from "../../support/golden.ts";
import { type Content, opening } from "../client.ts";
import { startEmulator, startServer } from "../process.ts";

/** A scripted agent: two servers as processes, an emulator as a process, and a stack that is built and removed by tools. */

let folder: string;
let emulator: Awaited<ReturnType<typeof startEmulator>>;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "kcloud-mcp-agent-"));
  emulator = await startEmulator(["--task-ms", "50"]);
});
afterAll(async () => {
  emulator.child.kill();
  await rm(folder, { recursive: true, force: true });
});

/** Moves the monotonic clock of a process forward by eleven minutes at each signal. */
const clock = `
const now = performance.now.bind(performance);
let past = 0;
performance.now = () => now() + past;
process.on("SIGUSR2", () => { past += 660_000; process.stderr.write("later\\n"); });
`;

async function start(more: NodeJS.ProcessEnv = {}) {
  const server = startServer(["--allow-writes"], {
    PATH: [dirname(process.execPath), process.env.PATH].join(delimiter),
    HOME: folder,
    ...emulator.environment,
    SERVICE_MAX_REQUESTS_PER_SECOND: "0",
    ...more,
  });
  await server.ask("initialize", opening);
  return server;
}

/** Returns a function that replaces what differs from run to run, each value by a name of its own. */
function steady() {
  const names = new Map<string, string>();
  const counts = new Map<string, number>();
  const nameOf = (kind: string, value: string) => {
    const known = names.get(value);
    if (known !== undefined) return known;
    const count = (counts.get(kind) ?? 0) + 1;
    counts.set(kind, count);
    const name = `${kind}-${count}`;
    names.set(value, name);
    return name;
  };
  const uuid = "[\\da-f]{8}-[\\da-f]{4}-[\\da-f]{4}-[\\da-f]{4}-[\\da-f]{12}";
  return (text: string): string =>
    text
      .replace(new RegExp(`krn:\\w+:[\\w-]+:\\w+:(?:${uuid}|default):(\\w+):${uuid}`, "g"), (krn, kind) =>
        nameOf(kind, krn),
      )
      .replace(new RegExp(uuid, "g"), (id) => nameOf("uuid", id))
      .replace(/"digest": ?"([\w-]{43})"/g, (_, digest) => `"digest": "${nameOf("digest", digest)}"`)
      .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "TIME")
      .replace(/fa:16:3e(:[\da-f]{2}){3}/g, "MAC")
      .replace(/request-\d+/g, "REQUEST")
      .replace(/http:\/\/127\.0\.0\.1:\d+/g, "http://127.0.0.1:PORT");
}

test("an agent finds, creates, waits, and destroys only with the digest of a preview", async () => {
  const clockFile = join(folder, "clock.mjs");
  await writeFile(clockFile, clock);
  const agent = await start({ NODE_OPTIONS: `--import=${clockFile}` });
  const replace = steady();
  const lines: string[] = [];
  const note = (text: string) => lines.push(text, "");
  /** Calls a tool and writes request and result to the transcript; \`show\` selects parts of a long result. */
  const call = async (
    tool: string,
    args: object = {},
    show: (content: Content) => unknown = (content) => content,
    by = agent,
  ): Promise<Content> => {
    const { structuredContent, isError } = await by.call(tool, args);
    const result = replace(
      JSON.stringify(isError ? structuredContent : show(structuredContent), undefined, 1),
    );
    note(`**${tool}** \`${replace(JSON.stringify(args))}\``);
    note(`\`\`\`json\n${result}\n\`\`\``);
    return structuredContent;
  };
  /** Reads until a condition is met, and writes the last read to the transcript. */
  const until = async (
    tool: string,
    args: object,
    isMet: (content: Content) => boolean,
    show: (content: Content) => unknown,
  ): Promise<Content> => {
    for (;;) {
      const { structuredContent } = await agent.call(tool, args);
      if (isMet(structuredContent)) return call(tool, args, show);
    }
  };
  const change = (operation: string, parameters: object) => call("change", { operation, parameters });

  note("# A scripted agent and `kcloud mcp --allow-writes`");
  note(
    "Written by `test/mcp/command/agent.test.ts` against the emulator. IDs, digests and times are replaced by names.",
  );

  note("## Look around");
  const { result: list } = await agent.ask("tools/list");
  const tools = list.tools as {
    name: string;
    annotations: { readOnlyHint: boolean; destructiveHint: boolean };
  }[];
  note(
    tools
      .map(
        ({ name, annotations }) =>
          `- ${name}${annotations.readOnlyHint ? "" : annotations.destructiveHint ? " (destructive)" : " (changes)"}`,
      )
      .join("\n"),
  );
  await call("describe_server", {}, ({ is_read_only, address }) => ({ is_read_only, address }));
  await call("list_kinds", {}, ({ kinds }) => ({
    kinds: kinds.filter(({ kind }: Content) => kind === "vpc"),
  }));
  await call("list_operations", { text: "create_v", effect: "changes" });
  await call("describe_operation", { operation: "create_vpc" }, ({ parameters, ...rest }) => ({
    ...rest,
    parameters: { required: parameters.required },
  }));

  note("## Create");
  const { response } = await change("create_vpc", { name: "shop" });
  const task = { operation: "get_vpc_task_status", parameters: { taskId: response.task_id } };
  await until(
    "read_operation",
    task,
    ({ response: { data } }) => data.tasks.every(({ status }: Content) => status === "success"),
    (content) => content,
  );
  const vpc = await call("get_object", { kind: "vpc", attributes: { name: "shop" } });
  const vpcId = vpc.object.id;
  const subnet = await change("create_subnet", { vpcId, name: "front", cidr: "10.0.0.0/24" });
  await until(
    "read_operation",
    { operation: "get_vpc", parameters: { vpcId } },
    ({ response: { data } }) =>
      !JSON.stringify(data).includes('"pending"') && /"front".*"success"/.test(JSON.stringify(data)),
    (content) => content,
  );
  const group = await change("create_security_group", { vpcId, name: "web" });
  const images = await call("list_objects", { kind: "image", limit: 1 }, ({ objects }) => ({ objects }));
  await change("create_instance", {
    ...{ vpcId, subnetId: subnet.response.subnet_id, securityGroups: [group.response.result.id] },
    ...{ instanceName: "web", instanceType: "c1.small", sshkeyName: "demo-key" },
    ...{ imageKrn: images.objects[0].id, volumeName: "web-disk", volumeSize: 20, volumeType: "ssd" },
  });
  const volume = await change("create_volume", { vpcId, name: "data", size: 10, volumeType: "ssd" });
  const volumeId = volume.response.volume.id;
  await change("create_bucket", { name: "shop-data", tags: { team: "web" } });
  const statuses = ({ response: { instances } }: Content) =>
    instances.map(({ vm_name, status }: Content) => ({ vm_name, status }));
  await until(
    "read_operation",
    { operation: "search_instances", parameters: { vpcId } },
    (content) => statuses(content).some(({ status }: Content) => status === "ACTIVE"),
    statuses,
  );
  const read = { operation: "get_volume", parameters: { vpcId, volumeId } };
  const statusOf = ({ response: { name, status } }: Content) => ({ name, status });
  await until("read_operation", read, (content) => statusOf(content).status === "available", statusOf);

  note("## Refused");
  const requests = () =>
    emulator
      .log()
      .split("\n")
      .filter((line) => /delete_/.test(line)).length;
  const target = { operation: "delete_volume", parameters: { vpcId, volumeId } };
  await call("change", target);
  await call("destroy", target);
  const preview = async (by = agent) =>
    (
      await call(
        "preview_destruction",
        target,
        ({ object: { name, status, size }, ...rest }) => ({
          ...rest,
          object: { name, status, size },
        }),
        by,
      )
    ).digest;
  note("The digest of another object:");
  const buckets = await agent.call("read_operation", { operation: "list_buckets" });
  const bucketId = JSON.stringify(buckets.structuredContent).match(/krn:[^"]*:bucket:[^"]*/)?.[0];
  const bucket = { operation: "delete_bucket", parameters: { bucketId } };
  const { digest: other } = await call(
    "preview_destruction",
    bucket,
    ({ goes_with_it, not_read, digest }) => ({
      ...{ goes_with_it, not_read, digest },
    }),
  );
  await call("destroy", { ...target, digest: other });
  note("The digest of another session:");
  const second = await start();
  await call("destroy", { ...target, digest: await preview(second) });
  second.child.stdin.end();
  note("After the object has changed:");
  const stale = await preview();
  await change("update_volume", { vpcId, volumeId, name: "renamed", description: "", metadata: {} });
  await call("destroy", { ...target, digest: stale });
  note("A used digest:");
  await call("destroy", { ...target, digest: stale });
  note("After ten minutes:");
  const expired = await preview();
  agent.child.kill("SIGUSR2");
  while (!agent.output.log.includes("later")) await agent.ask("ping");
  await call("destroy", { ...target, digest: expired });
  expect(requests()).toBe(0);

  note("## Destroyed");
  await call("destroy", { ...target, digest: await preview() });
  await until(
    "read_operation",
    read,
    ({ error }) => error !== undefined,
    (content) => content,
  );
  const fresh = await call("preview_destruction", bucket, ({ digest }) => ({ digest }));
  await call("destroy", { ...bucket, digest: fresh.digest });
  expect(requests()).toBe(2);

  agent.child.stdin.end();
  expect(await agent.ended).toEqual([0, null]);
  expect(agent.output.log).not.toMatch(/emulator-key|secret/);
  expect(agent.output.text).not.toContain("emulator-secret-key");
  expectGolden("tool-server/transcript.md", `${lines.join("\n")}`);
});

test("a server that is ended in the middle of a change awaits the response, and writes it to its log", async () => {
  let arrived = 0;
  let respond = () => {};
  const cloud = createServer((request, response) => {
    request.resume();
    arrived += 1;
    respond = () =>
      void response.writeHead(201, { "content-type": "application/json" }).end(JSON.stringify({ uuid: "1" }));
  }).listen(0, "127.0.0.1");
  await once(cloud, "listening");
  const { port } = cloud.address() as AddressInfo;
  const server = await start({ SERVICE_BASE_URL: `http://127.0.0.1:${port}` });
  const parameters = { keyName: "late", publicKey: publicKey(1) };
  void server.call("change", { operation: "create_ssh_key", parameters });
  while (arrived === 0) await server.ask("ping");
  server.child.kill("SIGTERM");
  while (!server.output.log.includes("is awaited")) await once(server.child.stderr, "data");
  respond();
  expect(await server.ended).toEqual([143, null]);
  expect(server.output.log).toBe(
    "kcloud mcp: create_ssh_key: the caller left after the request was sent; its response is awaited for 10 s\n" +
      "kcloud mcp: create_ssh_key: the API has accepted the request of the caller that left\n",
  );
  expect(arrived).toBe(1);
  cloud.close();
});
