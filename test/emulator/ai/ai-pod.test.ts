import { expect, test } from "@jest/globals";
import { at, type Cloud, cloud, image, podBody, refusal, region, textAt } from "../client.ts";

const create = "POST /v1/kpod/pod";
const path = (id: string) => `/v1/kpod/pod/${id}`;

const readable = { assume: { podRead: "pod" } } as const;

async function make(emulator: Cloud, more: Record<string, unknown> = {}): Promise<string> {
  const reply = await emulator.call(create, { body: podBody(more), headers: { "x-region": "" } });
  await emulator.clock.advance(1000);
  return textAt(reply.body, "pod_id");
}

const status = async (emulator: Cloud, id: string) =>
  at((await emulator.call(`GET ${path(id)}`)).body, "status");
const act = (emulator: Cloud, id: string, action: string) =>
  emulator.call(`PUT ${path(id)}`, { body: { action } });
const refused = (emulator: Cloud, more: Record<string, unknown>) =>
  refusal(emulator, create, { body: podBody(more) });

test("a pod is created without a region header, and a read returns all of its fields if a switch enables reads", async () => {
  const emulator = cloud(readable);
  const reply = await emulator.call(create, { body: podBody(), headers: { "x-region": "" } });
  const pod_id = textAt(reply.body, "pod_id");
  expect([reply.status, reply.body]).toEqual([201, { message: "pod creation accepted", pod_id }]);
  expect(await status(emulator, pod_id)).toBe("creating");
  await emulator.clock.advance(1000);
  expect((await emulator.call(`GET ${path(pod_id)}`)).body).toEqual({
    krn: pod_id,
    pod_id,
    ...podBody(),
    status: "running",
    created_at: "2026-01-01T00:00:00.000Z",
    updated_at: "2026-01-01T00:00:00.000Z",
  });
});

test("a read of a pod, which no source documents, is a 405, or a 404 if a switch is set", async () => {
  const emulator = cloud();
  const id = await make(emulator);
  expect(await refusal(emulator, `GET ${path(id)}`)).toEqual([
    405,
    "GET is not allowed here; PUT, DELETE is",
  ]);
  emulator.configure({ assume: { podRead: 404 } });
  expect(await refusal(emulator, `GET ${path(id)}`)).toEqual([
    404,
    `no operation of the contract is GET /v1/kpod/pod/${id}`,
  ]);
  expect((await emulator.call("GET /v1/kpod/pod")).status).toBe(405);
});

test("a pod stops, starts and restarts, each with a separate transitional status", async () => {
  const emulator = cloud(readable);
  const id = await make(emulator);
  const response = await act(emulator, id, "stop");
  expect([response.status, response.body]).toEqual([200, { message: "stop accepted", status: "success" }]);
  const words = async () => {
    const during = await status(emulator, id);
    await emulator.clock.advance(1000);
    return [during, await status(emulator, id)];
  };
  expect(await words()).toEqual(["stopping", "stopped"]);
  await act(emulator, id, "start");
  expect(await words()).toEqual(["starting", "running"]);
  await act(emulator, id, "restart");
  expect(await words()).toEqual(["restarting", "running"]);
});

test("a pod accepts no action during its create or another action, and none that changes nothing", async () => {
  const emulator = cloud();
  const reply = await emulator.call(create, { body: podBody() });
  const id = textAt(reply.body, "pod_id");
  const refuse = (action: string) => refusal(emulator, `PUT ${path(id)}`, { body: { action } });
  expect(await refuse("stop")).toEqual([409, "cannot stop pod trainer: it is creating"]);
  await emulator.clock.advance(1000);
  expect(await refuse("start")).toEqual([409, "cannot start pod trainer: it is running"]);
  await act(emulator, id, "stop");
  expect(await refuse("start")).toEqual([409, "cannot start pod trainer: it is stopping"]);
  await emulator.clock.advance(1000);
  expect(await refuse("restart")).toEqual([409, "cannot restart pod trainer: it is stopped"]);
  expect((await refuse("reboot"))[0]).toBe(400);
  emulator.configure({ assume: { repeatedPower: 202 } });
  expect((await act(emulator, id, "stop")).status).toBe(200);
});

test("a deleted pod disappears after its task; the switch selects the response to a second delete", async () => {
  const emulator = cloud(readable);
  const id = await make(emulator);
  const reply = await emulator.call(`DELETE ${path(id)}`);
  expect([reply.status, reply.body]).toEqual([200, { message: "pod deletion accepted" }]);
  expect(await status(emulator, id)).toBe("deleting");
  expect(await refusal(emulator, `DELETE ${path(id)}`)).toEqual([409, "trainer is already being deleted"]);
  emulator.configure({ assume: { repeatedDelete: 202 } });
  expect((await emulator.call(`DELETE ${path(id)}`)).status).toBe(200);
  await emulator.clock.advance(1000);
  expect(await refusal(emulator, `GET ${path(id)}`)).toEqual([404, `pod ${id} not found`]);
  expect(await refusal(emulator, `DELETE ${path(id)}`)).toEqual([404, `pod ${id} not found`]);
});

test("the id of a create is a KRN, a UUID that paths accept, or one that no path accepts", async () => {
  const emulator = cloud();
  expect(await make(emulator)).toMatch(/^krn:kpod:In-Bangalore-1:0{12}:[0-9a-f-]{36}:kpod:[0-9a-f-]{36}$/);
  emulator.configure({ assume: { podId: "uuid" } });
  const uuid = await make(emulator, { pod_name: "second" });
  expect(uuid).toMatch(/^[0-9a-f-]{36}$/);
  expect((await act(emulator, uuid, "stop")).status).toBe(200);
  emulator.configure({ assume: { podId: "other" } });
  const other = await make(emulator, { pod_name: "third" });
  expect(await refusal(emulator, `DELETE ${path(other)}`)).toEqual([404, `pod ${other} not found`]);
});

test("the field names of the seed document are accepted, with an image instead of the template", async () => {
  const emulator = cloud({ assume: { podRead: "pod", podNeedsEnvironment: false } });
  const body = {
    podName: "trainer",
    imageKrn: image,
    instanceType: "p1.small",
    sshKeyName: "demo-key",
    volumeSize: "50",
    x_region: region,
  };
  const reply = await emulator.call(create, { body });
  expect(reply.status).toBe(201);
  expect((await emulator.call(`GET ${path(textAt(reply.body, "pod_id"))}`)).body).toMatchObject({
    pod_name: "trainer",
    imageKrn: image,
    flavor_name: "p1.small",
    volume_disk_size: "50",
    environment_variables: [],
  });
  expect(await refusal(emulator, create, { body: { ...podBody(), podName: "other" } })).toEqual([
    400,
    "podName: disagrees with pod_name",
  ]);
});

test.each([
  ["a name with a space", { pod_name: "a b" }, "pod_name: must be 1 to 32 letters, digits, _ and -"],
  ["a long name", { pod_name: "a".repeat(33) }, "pod_name: must be 1 to 32 letters, digits, _ and -"],
  ["a number for a size", { volume_disk_size: 50 }, "volume_disk_size: must be of type string"],
  [
    "a size that is no number",
    { container_disk_size: "20GB" },
    "container_disk_size: must be a whole number of GB as text",
  ],
  [
    "an invalid list of ports",
    { expose_tcp_ports: "22;80" },
    "expose_tcp_ports: must be ports from 1 to 65535 with commas between them, as text",
  ],
  [
    "a port too high",
    { expose_tcp_ports: "65536" },
    "expose_tcp_ports: must be ports from 1 to 65535 with commas between them, as text",
  ],
  ["a text for the template", { pod_template_id: "1" }, "pod_template_id: must be of type number"],
  ["no environment", { environment_variables: undefined }, "environment_variables: required"],
  [
    "no template and no image",
    { pod_template_id: undefined },
    "pod_template_id: it or imageKrn is required, not both",
  ],
  ["template and image", { imageKrn: image }, "pod_template_id: it or imageKrn is required, not both"],
  ["access without a key", { sshkey_name: "" }, "sshkey_name: required with has_ssh_access"],
  ["another category", { category: "vm" }, "category: must be aipod"],
  ["an unknown field", { colour: "red" }, 'colour: unknown field "colour"'],
  ["a status selected by the name", { pod_name: "a-error-400" }, "refused because of the name a-error-400"],
])("%s is a 400", async (_, more, message) => {
  expect(await refused(cloud(), more)).toEqual([400, message]);
});

test("an unknown name is a 404 that lists the existing ones", async () => {
  const emulator = cloud();
  expect(await refused(emulator, { pod_template_id: 3 })).toEqual([
    404,
    "pod template 3 not found; there are 1, 2",
  ]);
  expect(await refused(emulator, { flavor_name: "c1.small" })).toEqual([
    404,
    "pod flavor c1.small not found; there are p1.small, p1.large",
  ]);
  expect(await refused(emulator, { sshkey_name: "nobody" })).toEqual([404, "SSH key nobody not found"]);
});

test("two pods of a region may have the same name unless the switch forbids it", async () => {
  const emulator = cloud();
  await make(emulator);
  expect(await make(emulator)).not.toBe("undefined");
  emulator.configure({ assume: { equalNames: false } });
  expect(await refused(emulator, {})).toEqual([409, "pod trainer already exists"]);
});

test("a pod fails by its name, and a create with a lost response creates it", async () => {
  const emulator = cloud(readable);
  expect(await status(emulator, await make(emulator, { pod_name: "a-fails" }))).toBe("failed");
  emulator.faults.add({ target: "create_pod", kind: "reset", when: "after", from: 1, times: 1 });
  await expect(emulator.call(create, { body: podBody({ pod_name: "lost" }) })).rejects.toThrow(
    "fetch failed",
  );
  expect(emulator.inventory.list()).toMatchObject([{ name: "a-fails" }, { name: "lost", kind: "ai_pod" }]);
});

test("the catalogues list the parts of pods; that of the sandbox is JSON labelled as text", async () => {
  const emulator = cloud();
  const plain = { headers: { "x-region": "" } };
  const templates = await emulator.call("GET /v1/kpod/podtemplate", plain);
  expect(templates.body).toMatchObject([
    { ID: 1, template_name: "notebook" },
    { ID: 2, template_name: "model-server" },
    { ID: 3, template_name: "shell" },
  ]);
  const sandbox = await emulator.call("GET /omni/sandbox/v1/template", plain);
  expect(sandbox.body).toEqual(templates.body);
  expect(sandbox.headers.get("content-type")).toBe("text/plain; charset=utf-8");
  expect((await emulator.call("GET /api/v1/flavor/kpod", plain)).body).toMatchObject([
    { flavorname: "p1.small", gpus: 1, type: "GPU" },
    { flavorname: "p1.large", gpus: 4 },
  ]);
  expect((await emulator.call("GET /v2/kpod/gpuresource", plain)).body).toEqual([
    { name: "gpu", total: 16, available: 16 },
  ]);
});
