import { expect, test } from "@jest/globals";
import { resourceKinds } from "../../../emulator/resource-kinds.ts";
import { expectGolden } from "../../support/golden.ts";
import { at, cloud, type Reply } from "../client.ts";
import { type Fields, type Sample, samples } from "../sample.ts";
import { isFields, openTour, operationOf, wireName, withValue } from "../tour.ts";

/** Tests of all operations with the requests of `sample.ts`: their responses, and the requests that each of them rejects. */

const names = Object.keys(samples);
const operations = resourceKinds.flatMap((kind) => kind.operations);
const newTour = () => openTour(cloud({ assume: { podRead: "pod" } }));

/** Formats a response in one line, with short names for ids and tokens. */
function formatter(): (name: string, reply: Reply) => string {
  const ids = new Map<string, string>();
  const idOf = (id: string) => ids.get(id) ?? ids.set(id, `#${ids.size + 1}`).get(id) ?? "";
  return (name, { status, body }) =>
    `${name} ${status} ${JSON.stringify(body) ?? ""}`
      .replace(/[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-(?!0{9})[0-9a-f]{12}/g, idOf)
      .replace(/\b[0-9a-f]{64}\b|AK[0-9A-F]{18}/g, idOf)
      .trimEnd();
}

test("every operation has a request, and each is accepted with the expected response", async () => {
  const tour = newTour();
  const format = formatter();
  const lines: string[] = [];
  for (const name of names) lines.push(format(name, await tour.visit(name)));
  expect(operations.map(({ name }) => name).filter((name) => !names.includes(name))).toEqual([]);
  expectGolden("emulator/responses.txt", `${lines.join("\n")}\n`);
});

type Part = "path" | "headers" | "query" | "body" | "form";
type Place = { readonly part: Part; readonly steps: readonly string[] };
type Field = Place & { readonly value: unknown };

/** Objects whose names of fields are free (docs/contract.md#8, docs/contract.md#9.1). */
const isMap = (name: string): boolean => /^(metadata|tags)/.test(name);

/** Returns the fields of a part of a request, those of nested objects too. */
const fieldsOf = (part: Part, fields: Fields, around: readonly string[] = []): Field[] =>
  Object.entries(fields).flatMap(([name, value]) => {
    const steps = [...around, name];
    const isObject = part === "body" && isFields(value) && !isMap(name);
    return [{ part, steps, value }, ...(isObject ? fieldsOf(part, value, steps) : [])];
  });

/** Returns a request with another value of a field; undefined leaves it out. */
const changed = (sample: Sample, { part, steps }: Place, value: unknown): Sample => ({
  ...sample,
  [part]: withValue(sample[part] ?? {}, steps, value),
});

const prefixes = { path: "", headers: "header ", query: "query ", body: "", form: "" };
const labelOf = ({ part, steps }: Place): string => prefixes[part] + steps.map(wireName).join(".");

/** Request that an operation must reject, with the expected status and beginning of the message. */
type Case = {
  readonly title: string;
  readonly sample: Sample;
  readonly status: number;
  readonly message: string | RegExp;
};

const isExpected = (message: string | RegExp, text: string): boolean =>
  typeof message === "string" ? text.startsWith(message) : message.test(text);

function withUnknownField(title: string, sample: Sample, { part, steps }: Place): Case {
  const field = { part, steps: [...steps, "unknown"] };
  const message = `${labelOf(field)}: unknown field "unknown"`;
  return { title, sample: changed(sample, field, "x"), status: 400, message };
}

/**
 * Returns the requests that a field excludes: one without it, with a value of another type, and with an empty text. Where the
 * contract allows these, an unknown field is the only reason of the rejection.
 */
function casesOfField(sample: Sample, field: Field): Case[] {
  const { part, steps, value } = field;
  const name = steps.at(-1) ?? "";
  const label = labelOf(field);
  const place: Place = { part: part === "headers" ? "query" : part, steps: [] };
  const change = (title: string, other: unknown, isAllowed: boolean, problem = ""): Case =>
    isAllowed
      ? withUnknownField(`${title} ${label}`, changed(sample, field, other), place)
      : {
          title: `${title} ${label}`,
          sample: changed(sample, field, other),
          status: name === "x-session-token" ? 401 : 400,
          message: `${label}: ${problem}`,
        };
  const isText = typeof value === "string";
  return [
    change("absent", undefined, /[?~]$/.test(name), "required"),
    ...(part === "headers" || part === "query" ? [] : [change("another type of", isText ? 1 : "x", false)]),
    ...(part === "headers" || !isText ? [] : [change("empty", "", name.endsWith("~"))]),
  ];
}

/** Returns true for the KRN or id of an object, and for a list of them. */
const isReference = (value: unknown): boolean =>
  [value].flat().some((id) => typeof id === "string" && /\{[^{}]+\}/.test(id));

/** Returns the requests with an id that no object has, and those from another region or tenant. */
function casesOfIds(sample: Sample): Case[] {
  const fields = (["path", "query", "body"] as const).flatMap((part) => fieldsOf(part, sample[part] ?? {}));
  const ids = fields.filter(({ value }) => isReference(value));
  const { headers = {} } = sample;
  const tenant = Object.keys(headers).find((name) => name.startsWith("k-tenant-id"));
  const region = Object.keys(headers).find((name) => name.startsWith("x-region"));
  const unknown = ids.map((field) => ({
    title: `unknown ${labelOf(field)}`,
    sample: changed(sample, field, Array.isArray(field.value) ? ["x"] : "x"),
  }));
  const elsewhere = (name: string, value: string) => {
    const place: Place = { part: "headers", steps: [name] };
    return { title: `another ${labelOf(place)}`, sample: changed(sample, place, value) };
  };
  const isOfObjects = ids.length > 0;
  return [
    ...unknown,
    ...(region && (isOfObjects || tenant) ? [elsewhere(region, "In-Hyderabad-1")] : []),
    ...(tenant && isOfObjects ? [elsewhere(tenant, "{vpc other}")] : []),
  ].map((request) => ({
    ...request,
    status: 404,
    message: /not found( in VPC lan)?$|^Unable to fetch volume$/,
  }));
}

const anonymous = (sample: Sample): Case => ({
  title: "no credential",
  sample: { ...sample, headers: { ...sample.headers, authorization: "" } },
  status: 401,
  message: /^missing bearer token$/,
});

/** Returns all requests that an operation must reject because of one part of an accepted request. */
function casesOf(name: string): Case[] {
  const { method, open } = operationOf(name);
  const sample = samples[name] ?? {};
  const fields = (["headers", "query", "body", "form"] as const).flatMap((part) =>
    fieldsOf(part, sample[part] ?? {}),
  );
  const content: Place = { part: sample.form ? "form" : "body", steps: [] };
  const objects = fields.filter(
    ({ part, steps, value }) => part === "body" && isFields(value) && !isMap(steps.at(-1) ?? ""),
  );
  const places = [{ part: "query" as const, steps: [] }, ...(method === "GET" ? [] : [content]), ...objects];
  return [
    ...places.map((place) =>
      withUnknownField(`unknown field in ${labelOf(place).trim() || place.part}`, sample, place),
    ),
    ...fields.flatMap((field) => casesOfField(sample, field)),
    ...casesOfIds(sample),
    ...(open ? [] : [anonymous(sample)]),
  ];
}

/** Rejections of another kind, by the section of the contract. */
const exceptions: { readonly [section: string]: readonly string[] } = {
  // A token, not the API key, creates an API key.
  "1.2": ["create_api_key, absent header authorization: 403"],
  // Three objects, or five.
  "2.1": ["create_vpc, absent security_group: 400 body", "create_vpc, absent security_group_rule: 400 body"],
  "5": [
    "create_image, unknown instance: 400 instance_krn: is not that of the path",
    "create_image, unknown instance_krn: 400 instance_krn: is not that of the path",
    "upload_image, absent image: 400 image: must be a file",
  ],
  // A search finds nothing. Types are those of every region.
  "2.3": [
    "search_port, another header x-region: 200",
    "search_port, unknown query network_id: 200",
    "search_port, unknown query port_id: 200",
    "search_port, unknown query vpc_id: 200",
  ],
  // The region of the body is that of the header.
  "6": [
    "create_instance, another header x-region: 400 region",
    "delete_instance, absent query instanceKrn: 400 query instanceKrn",
    "search_instances, unknown query krn: 200",
  ],
  "7": ["create_template, another header x-region: 400 region"],
  "8": ["list_volume_types, another header x-region: 200"],
  // The names of the parameters are an assumption, so others are ignored.
  "17.6": [
    "list_buckets, absent query name_filter: 200",
    "list_buckets, absent query page: 200",
    "list_buckets, absent query page_size: 200",
    "list_buckets, absent query refresh: 200",
    "list_buckets, empty query name_filter: 200",
    "list_buckets, unknown field in query: 200",
    "delete_access_key, empty otp: 401 otp",
    "delete_access_key, unknown otp: 401 otp",
    "delete_bucket, empty otp: 401 otp",
    "delete_bucket, unknown otp: 401 otp",
  ],
  "9.5": [
    "activate_session, unknown accessKey: 401",
    "activate_session, unknown secretKey: 401",
    "refresh_session, unknown refreshToken: 401",
    // The signature covers bucket, key and time; the body is content.
    "get_object_content, unknown bucket: 403",
    "get_object_content, unknown query expires: 403",
    "get_object_content, unknown query token: 403",
    "put_object_content, unknown bucket: 403",
    "put_object_content, unknown field in body: 200",
    "put_object_content, unknown query expires: 403",
    "put_object_content, unknown query token: 403",
  ],
  "14": [
    "get_document_result, unknown file: 403",
    "get_document_result, unknown query expires: 403",
    "get_document_result, unknown query token: 403",
  ],
};

test("an operation rejects a request with an unknown, missing or wrong field, an unknown id, or from elsewhere", async () => {
  const tour = newTour();
  const accepted = Object.values(exceptions).flat();
  const met = new Set<string>();
  const krns = () => tour.emulator.inventory.list().map(({ krn }) => krn);
  for (const name of names) {
    const operation = operationOf(name);
    const before = krns();
    for (const { title, sample, status, message } of name === operation.name ? casesOf(name) : []) {
      const reply = await tour.send(operation, sample);
      const text = String((reply.body as { message?: string } | undefined)?.message);
      const line = `${name}, ${title}: ${reply.status} ${text}`;
      const exception = accepted.find((start) => line.startsWith(start));
      if (exception === undefined)
        expect([line, isExpected(message, text)]).toEqual([`${name}, ${title}: ${status} ${text}`, true]);
      else met.add(exception);
    }
    if (operation.name !== "put_object_content") expect(krns()).toEqual(before);
    await tour.visit(name);
  }
  expect([...met].sort()).toEqual(accepted.toSorted());
});

test("a path names the methods that it has to a request with another one", async () => {
  const emulator = cloud();
  for (const { method, path } of operations) {
    const reply = await emulator.call(`PATCH ${path.replaceAll(/[{}]/g, "")}`);
    const message = String(at(reply.body, "message"));
    expect([reply.status, message]).toEqual([
      405,
      expect.stringMatching(/^PATCH is not allowed here; [A-Z, ]+ is$/),
    ]);
    expect(message).toContain(method);
  }
});
