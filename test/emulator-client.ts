import {
  createEmulator,
  type Emulator,
  type EmulatorOptions,
  type ManualClock,
  manualClock,
} from "../emulator/emulator.ts";

export type Reply = { status: number; headers: Headers; body: unknown };

type Call = { body?: unknown; text?: string; headers?: Record<string, string> };

/** Calls the cloud as a client would: with the key and a region unless told otherwise; `""` leaves a header out. */
export type Cloud = Emulator & {
  readonly clock: ManualClock;
  call(request: string, options?: Call): Promise<Reply>;
};

export const region = "In-Bangalore-1";

/** An emulator on a manual clock, with tasks of one second unless told otherwise. */
export function cloud(options: Omit<EmulatorOptions, "clock"> = {}): Cloud {
  const clock = manualClock();
  const emulator = createEmulator({ clock, taskMs: 1000, ...options });
  return {
    ...emulator,
    clock,
    async call(request, { body, text, headers = {} } = {}) {
      const [method = "", path = ""] = request.split(" ");
      const all = { authorization: "Bearer emulator-key", "x-region": region, ...headers };
      const sent = Object.entries(all).filter(([, value]) => value !== "");
      const content = text ?? (body === undefined ? undefined : JSON.stringify(body));
      const response = await emulator.fetch(`http://127.0.0.1${path}`, {
        method,
        headers: Object.fromEntries(sent),
        ...(content !== undefined && { body: content }),
      });
      return { status: response.status, headers: response.headers, body: decode(await response.text()) };
    },
  };
}

function decode(text: string): unknown {
  try {
    return text === "" ? undefined : JSON.parse(text);
  } catch {
    return text;
  }
}

/** The value at a path into an answer, such as `data.tasks.0.krn`. */
export function at(value: unknown, path: string): unknown {
  return path.split(".").reduce<unknown>((inner, key) => (inner as Record<string, unknown>)[key], value);
}

/** The text at a path into an answer. */
export function textAt(value: unknown, path: string): string {
  return String(at(value, path));
}

export const vpcBody = (name = "net", more: Record<string, unknown> = {}) => ({
  vpc: { name },
  network: { name: `${name}-network` },
  subnet: {},
  ...more,
});

/** A VPC that is made; its KRN. */
export async function makeVpc(
  emulator: Cloud,
  name = "net",
  more: Record<string, unknown> = {},
): Promise<string> {
  await emulator.call("POST /v1/highlvlvpc/create_vpc_async", { body: vpcBody(name, more) });
  await emulator.clock.advance(emulator.settings().taskMs);
  const row = emulator.inventory.list().findLast((item) => item.kind === "vpc" && item.name === name);
  return row?.krn ?? "";
}

export const volumeBody = (name = "disk", more: Record<string, unknown> = {}) => ({
  name,
  size: 10,
  volumetype: "ssd",
  availability_zone: "nova",
  multiattach: false,
  ...more,
});

/** A volume that is made; its KRN. */
export async function makeVolume(
  emulator: Cloud,
  vpc: string,
  more: Record<string, unknown> = {},
): Promise<string> {
  const headers = { "k-tenant-id": vpc };
  const reply = await emulator.call("POST /kbs/v1/volumes", { body: volumeBody("disk", more), headers });
  await emulator.clock.advance(emulator.settings().taskMs);
  return textAt(reply.body, "volume.id");
}
