import { expect, test } from "@jest/globals";
import type { EmulatorOptions } from "../../emulator/emulator.ts";
import type { Operation } from "../../emulator/model/operation.ts";
import { resourceKinds } from "../../emulator/resource-kinds.ts";
import { at, type Cloud, cloud, type Reply } from "./client.ts";
import { type Fields, type Sample, samples } from "./sample.ts";

/** Sends the requests of `sample.ts`, as they are or with changes, to an emulator. */

/** Name of a field on the wire. */
export const wireName = (name: string): string => name.replace(/[?~]$/, "");

export const isFields = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Requests to an emulator, with the responses that later requests refer to. */
export type Tour = {
  readonly emulator: Cloud;
  /** Sends a request of an operation without keeping its response. */
  send(operation: Operation, sample: Sample): Promise<Reply>;
  /** Sends the request of a name with changes of its fields, and keeps the response. */
  request(name: string, changes: Fields): Promise<Reply>;
  /** Sends the request of a name, which must be accepted, keeps the response, and advances the clock until its task has ended. */
  visit(name: string): Promise<Reply>;
};

const operations = new Map(resourceKinds.flatMap((kind) => kind.operations).map((one) => [one.name, one]));

/** Returns the operation of a sample. */
export function operationOf(name: string): Operation {
  const operation = operations.get(name.split(" ")[0] ?? "");
  if (operation === undefined) throw new Error(`no operation ${name}`);
  return operation;
}

const boundary = "boundary";

function encodeForm(form: Record<string, unknown>): string {
  const parts = Object.entries(form).map(([name, value]) => {
    const { filename, text = value } = isFields(value) ? value : {};
    const file = filename === undefined ? "" : `; filename="${filename}"`;
    return `--${boundary}\r\ncontent-disposition: form-data; name="${name}"${file}\r\n\r\n${text}\r\n`;
  });
  return `${parts.join("")}--${boundary}--\r\n`;
}

/** Opens a tour of an emulator. */
export function openTour(emulator: Cloud): Tour {
  const responses = new Map<string, unknown>();

  /** Returns the text that a reference stands for. */
  function referred(reference: string): string {
    if (reference === "otp") return emulator.password();
    const [place = "", parameter] = reference.split("?");
    const [start = "", ...steps] = place.split(".");
    const [kind, name] = start.split(" ");
    const item = emulator.inventory
      .list()
      .find((candidate) => candidate.kind === kind && (name === undefined || candidate.name === name));
    const root = responses.get(start) ?? item;
    const value = String(at(root, steps.length === 0 ? "krn" : steps.join(".")));
    return parameter === undefined ? value : (new URL(value).searchParams.get(parameter) ?? "");
  }

  function resolve(value: unknown): unknown {
    if (typeof value === "string") return value.replace(/\{([^{}]+)\}/g, (_, name: string) => referred(name));
    if (Array.isArray(value)) return value.map(resolve);
    return isFields(value) ? resolveFields(value) : value;
  }
  const resolveFields = (fields: Fields): Record<string, unknown> =>
    Object.fromEntries(Object.entries(fields).map(([name, value]) => [wireName(name), resolve(value)]));

  async function send(operation: Operation, sample: Sample): Promise<Reply> {
    const { path = {}, headers = {}, query = {}, body, form, bytes } = sample;
    const segments = resolveFields(path);
    const pathname = operation.path.replace(/\{(\w+)\}/g, (_, name) =>
      encodeURIComponent(`${segments[name]}`),
    );
    const parameters = new URLSearchParams({ ...operation.select, ...resolveFields(query) } as Record<
      string,
      string
    >);
    const text = bytes ?? (form === undefined ? undefined : encodeForm(resolveFields(form)));
    return emulator.call(`${operation.method} ${pathname}?${parameters}`, {
      headers: {
        "x-region": "",
        ...(operation.open && { authorization: "" }),
        ...(form && { "content-type": `multipart/form-data; boundary=${boundary}` }),
        ...(resolveFields(headers) as Record<string, string>),
      },
      ...(body && { body: resolveFields(body) }),
      ...(text !== undefined && { text }),
    });
  }

  async function request(name: string, changes: Fields): Promise<Reply> {
    const operation = operationOf(name);
    const sending = send(operation, withChanges(samples[name] ?? {}, changes));
    // The response of a synchronous operation waits for its task.
    if (operation.name.endsWith("_sync")) await emulator.clock.advance(emulator.settings().taskMs);
    const reply = await sending;
    if (reply.status < 400) responses.set(name, reply.body);
    return reply;
  }

  return {
    emulator,
    send,
    async visit(name) {
      const sending = request(name, {});
      await emulator.clock.advance(emulator.settings().taskMs);
      const reply = await sending;
      if (reply.status >= 400) throw new Error(`${name}: ${reply.status} ${JSON.stringify(reply.body)}`);
      return reply;
    },
    request,
  };
}

/** Returns a sample with other values of fields, by their names: `size`, or `input.newSize`; undefined removes a field. */
function withChanges(sample: Sample, changes: Fields): Sample {
  const content = sample.form ? "form" : sample.body ? "body" : "query";
  const placeOf = (name: string) => (name.includes("-") ? "headers" : content);
  const places = ["body", "form", "query", "path", "headers"] as const;
  let changed: Sample = sample;
  for (const [name, value] of Object.entries(changes)) {
    const steps = name.split(".");
    const place = places.find((part) =>
      Object.keys(sample[part] ?? {}).some((key) => wireName(key) === steps[0]),
    );
    const part = place ?? placeOf(name);
    changed = { ...changed, [part]: withValue(changed[part] ?? {}, steps, value) };
  }
  return changed;
}

/** Returns the fields with another value of the one that the steps lead to; undefined leaves it out. */
export function withValue(fields: Fields, [name = "", ...inner]: readonly string[], value: unknown): Fields {
  const key = Object.keys(fields).find((candidate) => wireName(candidate) === name) ?? name;
  const { [key]: old = {}, ...others } = fields;
  if (inner.length > 0) return { ...others, [key]: withValue(old as Fields, inner, value) };
  return value === undefined ? others : { ...others, [key]: value };
}

/**
 * Step of a scenario: a request with its changes and the expected response, which is a status, an error as `"409 MESSAGE"`, in
 * which `…` is any text, or values in the body by their paths, such as `ports.0.status`; `assume` are switches for this request
 * alone. A name alone visits the operation, a number advances the clock by milliseconds, and an object changes the settings.
 */
export type Step = string | number | Omit<EmulatorOptions, "clock"> | Request;
type Request = readonly [
  name: string,
  changes: Fields,
  expected: unknown,
  assume?: EmulatorOptions["assume"],
];

async function take(tour: Tour, step: Step): Promise<void> {
  const { emulator } = tour;
  if (typeof step === "string") await tour.visit(step);
  else if (typeof step === "number") await emulator.clock.advance(step);
  else if ("length" in step) await check(tour, step);
  else emulator.configure(step);
}

/** Returns a matcher of a message in which `…` stands for any text. */
function matching(message: unknown): unknown {
  const parts = String(message).split("…");
  const escaped = parts.map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  return typeof message === "string" && parts.length > 1
    ? expect.stringMatching(`^${escaped.join(".*")}$`)
    : message;
}

async function check(tour: Tour, [name, changes, expected, assume]: Request): Promise<void> {
  const { emulator } = tour;
  const { assume: usual } = emulator.settings();
  if (assume) emulator.configure({ assume });
  const { status, body } = await tour.request(name, changes);
  emulator.configure({ assume: usual });
  const line = `${name} ${JSON.stringify(changes)}`;
  if (typeof expected === "number") expect([line, status, body]).toEqual([line, expected, body]);
  else if (isFields(expected) && status < 400)
    for (const [path, value] of Object.entries(expected))
      expect([line, path, at(body, path)]).toEqual([line, path, value]);
  else expect([line, `${status} ${at(body, "message")}`]).toEqual([line, matching(expected)]);
}

/** Tests that the requests of the steps have the expected responses. */
export function scenario(title: string, steps: readonly Step[]): void {
  test(title, async () => {
    const tour = openTour(cloud());
    for (const step of steps) await take(tour, step);
  });
}
