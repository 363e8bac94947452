import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "@jest/globals";
import { camelCase, snakeCase } from "../../../provider/core/name.ts";
import { isRecord, reveal, type Value, type Values } from "../../../provider/core/value.ts";
import { scopeFields } from "../../../provider/definition/resource.ts";
import { engine } from "../../../provider/engine/engine.ts";
import type { Transport } from "../../../provider/platform/ports.ts";
import { resources } from "../../../resources/index.ts";
import { listOperations } from "../../../tools/docs/operation.ts";
import {
  type Attribute,
  isCommon,
  isListed,
  isRead,
  readsOf,
  unfilledAttributes,
  withUnfilledTable,
} from "../../../tools/docs/unfilled.ts";
import { recipient } from "../../simulation/catalogue.ts";
import { live, resource } from "../../support/cloud.ts";
import { createEveryKind, type Made, openEveryKind } from "../../support/every-kind.ts";
import { find } from "../../support/lookup.ts";

/** Compares the attributes that imports do not fill with the responses of the emulator. */

const operations = (await listOperations()).filter(({ built }) => built);

/** Response to a read. */
interface Answer {
  readonly operation: string;
  readonly body: string;
}

const patterns = operations
  .filter(({ name }) => isRead(name))
  // The path of one operation can match the parameter of another.
  .toSorted((a, b) => b.path.replaceAll(/\{\w+\}/g, "").length - a.path.replaceAll(/\{\w+\}/g, "").length)
  .map(({ name, method, path }) => ({
    ...{ name, method },
    path: new RegExp(`^${path.replaceAll(/\{\w+\}/g, "[^/]+")}$`),
  }));

const answers: Answer[] = [];

/** Records the responses to reads. */
const recording = (transport: Transport): Transport => ({
  async send(request, signal) {
    const { receive } = request;
    const parts: Uint8Array[] = [];
    const kept = async (part: Uint8Array) => {
      parts.push(part);
      await receive?.(part);
    };
    const reply = await transport.send({ ...request, ...(receive && { receive: kept }) }, signal);
    const { pathname } = new URL(request.url);
    const operation = patterns.find(
      ({ method, path }) => method === request.method && path.test(pathname),
    )?.name;
    if (reply.kind === "answer" && reply.status === 200 && operation !== undefined)
      answers.push({ operation, body: reply.body + Buffer.concat(parts).toString("utf8") });
    return reply;
  },
});

const cloud = openEveryKind({}, {}, { wrap: recording, wrapForeign: recording });
const all = await createEveryKind(cloud);
const base = (kind: string): Made => {
  const found = all.findLast((one) => one.kind === kind);
  if (found === undefined) throw new Error(`no ${kind} was created`);
  return found;
};
const vpcId = String(base("subnet").inputs.vpcId);
const vpc = live(cloud, "vpc").find(({ krn }) => krn === vpcId);
const network = live(cloud, "network").find(({ parents }) => parents.includes(vpcId))?.krn ?? "";
const create = async (kind: string, inputs: Values) =>
  String((await cloud.run(cloud.create(kind, inputs))).id);
const port = await create("port", {
  vpcId,
  name: "mark-port",
  subnetId: base("floating-ip").inputs.subnetId ?? null,
});
const volume = await create("volume", { vpcId, name: "volume-3", sizeGb: 1, volumeType: "ssd" });
const disk = await create("volume", { vpcId, name: "volume-4", sizeGb: 10, volumeType: "ssd" });
const image = "krn:vm:In-Bangalore-1:default:default:image:00000000-0000-4000-8000-000000000101";

const folder = mkdtempSync(join(tmpdir(), "kcloud-unfilled-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Writes a file with its name as content; returns its path. */
function fileOf(name: string): string {
  writeFileSync(join(folder, name), name);
  return join(folder, name);
}

/** Sends a request as another client of the API. */
const raw = async (path: string) => {
  const url = new URL(path, "http://127.0.0.1:1");
  const headers = {
    authorization: "Bearer emulator-key",
    "x-region": "In-Bangalore-1",
    "x-account-id": "000000000000",
    "k-tenant-id": vpcId,
  };
  const request = { method: "GET", url: url.href, headers };
  const reply = await cloud.run(recording(direct).send(request, cloud.call.stop));
  if (reply.kind !== "answer" || reply.status !== 200) throw new Error(`${path}: ${JSON.stringify(reply)}`);
};
const direct: Transport = {
  async send({ url, method, headers }) {
    const response = await cloud.emulator.fetch(url, { method, headers });
    return { kind: "answer", status: response.status, headers: {}, body: await response.text(), cut: false };
  },
};

/** Reads that the provider does not send, by kind. */
const otherReads: { readonly [kind: string]: (id: string, values: Values) => readonly string[] } = {
  vpc: (id) => [
    `/v1/highlvlvpc/describe_vpc?vpc_id=${id}`,
    "/v1/highlvlvpc/search_vpc",
    "/v2/highlvlvpc/search_vpc?size=100",
  ],
  subnet: () => [`/v1/highlvlvpc/search_network?vpc_id=${vpcId}`],
  instance: (_, { taskId }) => [
    `/v1/highlvlvpc/instanceinfo?vpc_id=${vpcId}`,
    `/vm/v1/get_instance_task_status?task_id=${String(taskId)}`,
  ],
  "instance-template": (id) => [`/vm/v1/instance-templates/details?template_krn=${id}`],
  volume: (id) => [`/kbs/v1/volumes/${id}`],
  "volume-attachment": (_, { volumeId }) => [`/kbs/v1/volumes/${String(volumeId)}`],
  bucket: (id) => [`/kos/v1/buckets/${id}`],
  "lifecycle-rule": (id, { bucketId }) => [`/kos/v1/buckets/${String(bucketId)}/lifecycle-rules/${id}`],
  "account-policy": () => ["/internal/kos/v1/policy"],
};

/** Reads an object in every way: alone, in the lists of its kind, and by requests that the provider does not send. */
async function readAll(kind: string, { id = "", values }: Made["state"]): Promise<void> {
  const definition = resource(kind);
  const session = cloud.reopen();
  await cloud.run(engine.read(session, definition, { id, task: undefined, values, unread: [] }, cloud.call));
  const { list } = definition.verbs;
  const scope = Object.keys(scopeFields(definition)).map((name) => [name, values[name] ?? null]);
  if (list !== undefined)
    await cloud.run(engine.list(session, definition, Object.fromEntries(scope), cloud.call));
  if (kind === "object")
    await find(cloud, "object-content", { bucketId: values.bucketId ?? null, key: id }, session);
  for (const path of otherReads[kind]?.(id, values) ?? []) await raw(path);
}

/** Returns inputs with each form of a content. */
const forms = (name: string, inputs: Values): Values[] =>
  [
    { content: `mark-${name}-text` },
    { content: null, contentBase64: Buffer.from(`mark-${name}-base64`).toString("base64") },
    { content: null, source: fileOf(`mark-${name}-file`) },
  ].map((form) => ({ ...inputs, ...form }));

/** Inputs that set every attribute, for each kind on top of those of its lifecycle. */
const variants: { readonly [kind: string]: readonly Values[] } = {
  "access-key": [
    { name: "mark-key", rotateWhenChanged: { round: "mark-round" } },
    { name: "mark-key-2", recipientPublicKey: recipient },
  ],
  "account-policy": [
    {
      name: "policy-2",
      statements: '[{"effect":"mark-effect"}]',
      conditions: '{"ip":"mark-condition"}',
      policyId: "mark-policy-id",
    },
  ],
  bucket: [
    { name: "bucket-2", description: "mark-description", forceDestroy: true, deletionProtection: true },
  ],
  "document-information": [
    ...forms("information", { language: "hindi", fileType: "Scanned" }),
    { content: "Name: Eva", entities: ["key_value"], keysToExtract: ["mark-extract"] },
  ],
  "document-masking": forms("masking", { language: "hindi", fileType: "Scanned", keysToMask: ["mark-mask"] }),
  "document-summary": forms("summary", {
    language: "hindi",
    fileType: "Scanned",
    wordCountForSummarization: 4321,
  }),
  "document-text": forms("text", { language: "hindi", fileType: "Scanned" }),
  "floating-ip": [{ name: "mark-address", networkId: network, portId: port }],
  image: [{ name: "image-2", description: "mark-description", deletionProtection: true }],
  "inference-task": [
    {
      name: "task-2",
      model: "mark-model",
      ngpu: 4321,
      waitFor: ["mark-ready"],
      waitFailed: ["mark-failed"],
      keepWhenGone: true,
    },
    { name: "task-3", model: null, checkpoint: "chat-small-002" },
  ],
  instance: [
    {
      ...{ name: "instance-2", volumeId: null, floatingIp: true, isGpu: true, deletionProtection: true },
      bootVolume: { imageKrn: image, name: "mark-boot-volume", sizeGb: 4321, volumeType: "HNSS" },
      deleteOnTermination: true,
      userData: "#!/bin/mark-user-data",
      easydeployType: "mark-easydeploy",
      gatewayPassword: "mark-Gateway-1",
      modelName: "mark-model",
      modelApiKey: "mark-model-api-key",
      restartWhenChanged: { round: "mark-round" },
    },
    {
      ...{ name: "instance-3", volumeId: null },
      bootVolume: { imageKrn: image, sizeGb: 10, volumeType: "ssd" },
      userDataBase64: Buffer.from("#!/bin/mark-base64").toString("base64"),
    },
    { name: "instance-4", volumeId: disk },
  ],
  "instance-batch": [{ name: "batch-2", deleteOnTermination: true, deletionProtection: true }],
  "instance-template": [
    { name: "template-2", userData: "#!/bin/mark-user-data" },
    { name: "template-3", userDataBase64: Buffer.from("#!/bin/mark-base64").toString("base64") },
  ],
  object: forms("object", {}).map((form, index) => ({ ...form, key: `mark-${index}` })),
  "security-group-rule": [
    {
      direction: "egress",
      ethertype: "IPv4",
      protocol: "udp",
      portRangeMin: 4321,
      portRangeMax: 5432,
      remoteIpPrefix: "10.77.0.0/24",
      description: "mark-description",
    },
  ],
  subnet: [
    {
      ...{ name: "subnet-2", cidr: "10.0.77.0/24", gatewayIp: "10.0.77.77", description: "mark-description" },
      ...{ ipVersion: 4, ingress: false, egress: false },
      routerKrn: vpc !== undefined && "routerKrn" in vpc ? String(vpc.routerKrn) : null,
    },
  ],
  volume: [{ name: "volume-2", deletionProtection: true }],
  "volume-attachment": [{ volumeId: volume, mountPartition: "/dev/mark" }],
  vpc: [
    {
      ...{
        name: "vpc-2",
        description: "mark-description",
        enabled: false,
        adminStateUp: false,
        ipVersion: 4,
      },
      primarySubnet: { name: "mark-subnet", cidr: "10.88.0.0/24" },
    },
  ],
};
/** Object with the inputs that set its attributes. */
interface Marked {
  readonly kind: string;
  readonly inputs: Values;
  readonly values: Values;
}

const marked: Marked[] = [];
for (const { name } of resources.filter(isListed)) await readAll(name, base(name).state);
for (const [kind, changes] of Object.entries(variants))
  for (const change of changes) {
    const definition = resource(kind);
    const { checksum: _, ...inputs } = base(kind).inputs;
    const { inputs: wanted, problems } = engine.check(definition, { ...inputs, ...change });
    expect([kind, problems]).toEqual([kind, []]);
    const state = await cloud.run(engine.create(cloud.session, definition, wanted, cloud.call));
    marked.push({ kind, inputs: wanted, values: state.values });
    await readAll(kind, state);
  }
/** Reads whose responses no source shows: those of the emulator are assumptions (docs/contract.md#17.2). */
const assumed = new Set([
  ...operations.filter(({ source }) => source === "assumption").map(({ name }) => name),
  "search_subnet",
]);
/** Reads of catalogues, which contain no object of an account. */
const catalogues = ["list_disk_formats", "list_volume_types", "search_ssh_keys"];

const answersOf = (kind: string): string[] => {
  const reads = new Set(readsOf(resource(kind), operations).map(({ name }) => name));
  return answers
    .filter(({ operation }) => reads.has(operation) && !assumed.has(operation))
    .map(({ body }) => body);
};

/** Returns a text that no other value contains; undefined for a flag, a small number or a word of a few. */
function distinctText(value: Value): string | undefined {
  if (typeof value === "number") return value > 1000 ? String(value) : undefined;
  if (typeof value === "string")
    return /mark-[\w-]+/.exec(value)?.[0] ?? (value.length > 8 ? value : undefined);
  if (!isRecord(value) && !Array.isArray(value)) return undefined;
  return Object.values(value)
    .map(distinctText)
    .find((text) => text !== undefined);
}

/** Returns true if a text is the JSON of an object with a member of this name, in any spelling. */
const hasMember = (body: string, name: string): boolean =>
  [...body.matchAll(/"(\w+)":/g)].some(([, found = ""]) => plainName(found) === plainName(name));
const plainName = (name: string): string => name.replaceAll("_", "").toLowerCase();

/** Value of an attribute in one of the objects. */
interface Sample {
  readonly kind: string;
  readonly attribute: Attribute;
  readonly value: Value;
}

const samplesOf = (kind: string, attribute: Attribute): Sample[] =>
  marked.flatMap((one) => {
    if (one.kind !== kind) return [];
    const [name = "", ...rest] = attribute.path.split(".").map((part) => camelCase(part));
    const value = reveal(rest.reduce<Value>(memberOf, one.inputs[name] ?? one.values[name] ?? null));
    return value === null ? [] : [{ kind, attribute, value }];
  });
const memberOf = (value: Value, name: string): Value => (isRecord(value) ? (value[name] ?? null) : null);

/** Returns true if one of the responses has the value of an attribute. */
function isShown({ attribute: { path }, value }: Sample, bodies: readonly string[]): boolean {
  const text = distinctText(value);
  if (text === undefined) return bodies.some((body) => hasMember(body, path.split(".").at(-1) ?? ""));
  const plain = typeof value === "string" ? value : text;
  const spellings = [
    text,
    JSON.stringify(text).slice(1, -1),
    Buffer.from(plain, "base64").toString("utf8"),
    Buffer.from(plain).toString("base64"),
  ];
  return bodies.some((body) => spellings.some((spelling) => body.includes(spelling)));
}

const listedKinds = resources.filter(isListed);
const samples = listedKinds.flatMap((kind) =>
  unfilledAttributes(kind)
    .filter((attribute) => !isCommon(attribute))
    .map((attribute) => ({ kind: kind.name, attribute, samples: samplesOf(kind.name, attribute) })),
);
const nameOf = ({ kind, attribute: { path } }: { readonly kind: string; readonly attribute: Attribute }) =>
  `${kind} ${path}`;

test("the page of limits has the table of the definitions, and explains each attribute that is not assigned", () => {
  const page = readFileSync(join(import.meta.dirname, "../../../docs/guides/limits.md"), "utf8");
  expect(withUnfilledTable(page, resources, operations)).toBe(page);
  const explained = page.split("\n## Imports\n")[1]?.split("\n## ")[0] ?? "";
  const text = explained.replaceAll(/^\|.*$/gm, "");
  const missing = samples.filter(
    ({ attribute: { path, reason } }) => reason === "not assigned" && !text.includes(`\`${path}\``),
  );
  expect(missing.map(nameOf)).toEqual([]);
});

test("every attribute that imports do not fill is set in an object, and every read of its kind was answered", () => {
  expect(samples.filter((each) => each.samples.length === 0).map(nameOf)).toEqual([]);
  const answered = new Set(answers.map(({ operation }) => operation));
  const kinds = listedKinds.filter(({ name }) => samples.some(({ kind }) => kind === name));
  const reads = [...new Set(kinds.flatMap((kind) => readsOf(kind, operations).map(({ name }) => name)))];
  const missing = reads.filter(
    (name) => !answered.has(name) && !assumed.has(name) && !catalogues.includes(name),
  );
  expect(missing).toEqual([]);
});

test("no response to a read of the kind has an attribute that is listed as in no response", () => {
  const shown = samples.flatMap((each) =>
    each.attribute.reason === "not returned" &&
    each.samples.some((sample) => isShown(sample, answersOf(each.kind)))
      ? nameOf(each)
      : [],
  );
  expect(shown).toEqual([]);
});

test("a response to a read has each attribute that is listed as in a response", () => {
  const bodies = answers.map(({ body }) => body);
  const absent = samples.flatMap((each) =>
    each.attribute.reason === "not assigned" && !each.samples.some((sample) => isShown(sample, bodies))
      ? nameOf(each)
      : [],
  );
  expect(absent).toEqual([]);
});

test("the search finds every distinct value of the attributes that imports fill", () => {
  const filled = listedKinds.flatMap((kind) => {
    const unfilled = unfilledAttributes(kind).map(({ path }) => path);
    return Object.entries(kind.fields)
      .filter(([name, field]) => field.kind === "field" && name !== "region" && !kind.parents?.includes(name))
      .map(([name]) => ({ path: snakeCase(name), reason: "not returned", hasParts: false }) as const)
      .filter(({ path }) => !unfilled.includes(path))
      .flatMap((attribute) => samplesOf(kind.name, attribute))
      .filter(({ value }) => distinctText(value) !== undefined);
  });
  expect(filled.length).toBeGreaterThan(30);
  expect(filled.filter((sample) => !isShown(sample, answersOf(sample.kind))).map(nameOf)).toEqual([]);
});
