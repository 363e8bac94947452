import { expect, test } from "@jest/globals";
import {
  at,
  type Cloud,
  cloud,
  makeInstance,
  makeSite,
  makeVolume,
  refusal,
  region,
  textAt,
} from "../client.ts";

async function ready(options: Parameters<typeof cloud>[0] = {}) {
  const emulator = cloud(options);
  const site = await makeSite(emulator);
  const vm = await makeInstance(emulator, site);
  return { emulator, site, vm, create: `POST /vm/v1/instance/createimage/${vm}` };
}

const plain = { headers: { "x-region": "" } };

async function own(
  emulator: Cloud,
  place = region,
): Promise<{ krn: string; name: string; status: string }[]> {
  const { body } = await emulator.call(`GET /vm/v1/image/${place}?region_id=${place}&limit=100`, plain);
  return (at(body, "images") as { krn: string; name: string; status: string }[]).slice(2);
}

/** Returns a multipart form as a client sends it; a pair of strings is the name and content of a file. */
function form(fields: Record<string, string | [string, string]>) {
  const parts = Object.entries(fields).map(([name, value]) => {
    const [filename, content] = typeof value === "string" ? [undefined, value] : value;
    const file = filename === undefined ? "" : `; filename="${filename}"\r\nContent-Type: text/plain`;
    return `--mark\r\nContent-Disposition: form-data; name="${name}"${file}\r\n\r\n${content}\r\n`;
  });
  return {
    text: `${parts.join("")}--mark--\r\n`,
    headers: { "x-region": "", "content-type": "multipart/form-data; boundary=mark" },
  };
}

const fromUrl = `POST /vm/v1/image/bucket/${region}`;
const fromFile = `POST /vm/v1/image/${region}`;
const source = (image = "https://files.example/disks/debian-12.qcow2", more = {}) =>
  form({ diskFormat: "qcow2", image, ...more });

test("an image is created from a machine, is listed with the public ones, and boots a machine", async () => {
  const { emulator, site, vm, create } = await ready();
  const reply = await emulator.call(create, { body: { name: "golden", instance_krn: vm } });
  const krn = textAt(reply.body, "image");
  expect([reply.status, reply.body]).toEqual([200, { image: krn }]);
  expect(krn).toMatch(/^krn:vm:In-Bangalore-1:0{12}:[0-9a-f-]{36}:image:[0-9a-f-]{36}$/);
  expect(await own(emulator)).toEqual([{ krn, name: "golden", status: "creating" }]);
  await emulator.clock.advance(1000);
  expect(await own(emulator)).toEqual([{ krn, name: "golden", status: "active" }]);
  expect(await own(emulator, "In-Hyderabad-1")).toEqual([]);
  const names = { instanceName: "second", volume_name: "second-volume" };
  const second = await makeInstance(emulator, site, { image_krn: krn, ...names });
  expect((await emulator.call(`GET /v1/highlvlvpc/instance?krn=${second}`)).body).toMatchObject({
    status: "ACTIVE",
    image_krn: krn,
  });
});

test("the create of an image returns a task if a switch is set, which the instance tasks contain", async () => {
  const { emulator, create } = await ready({ assume: { imageCreateAnswer: "task" } });
  const reply = await emulator.call(create, { body: { name: "golden", description: "all in" } });
  const task_id = textAt(reply.body, "task_id");
  expect([reply.status, reply.body]).toEqual([202, { task_id }]);
  await emulator.clock.advance(1000);
  expect((await emulator.call(`GET /vm/v1/get_instance_task_status?task_id=${task_id}`)).body).toMatchObject({
    status: "success",
  });
  expect(await own(emulator)).toMatchObject([{ name: "golden", status: "active" }]);
});

test("nothing is created from an image that is missing or not ready", async () => {
  const { emulator, site, create } = await ready();
  const krn = textAt((await emulator.call(create, { body: { name: "golden" } })).body, "image");
  const headers = { "k-tenant-id": site.vpc };
  const volume = (id: string) => ({
    name: "disk",
    size: 10,
    volumetype: "ssd",
    availability_zone: "nova",
    source: { type: "image", id },
  });
  const refused = (id: string) => refusal(emulator, "POST /kbs/v1/volumes", { body: volume(id), headers });
  expect(await refused(krn)).toEqual([409, "image golden is creating"]);
  expect(await refused("x")).toEqual([404, expect.stringMatching(/^image x not found; there are krn:vm:/)]);
  await emulator.clock.advance(1000);
  expect(await makeVolume(emulator, site.vpc, { source: { type: "image", id: krn } })).toMatch(/^krn:kbs:/);
});

test("an invalid create is rejected", async () => {
  const { emulator, site, vm, create } = await ready();
  const refused = (request: string, body: unknown) => refusal(emulator, request, { body });
  expect(await refused(create, {})).toEqual([400, "name: required"]);
  expect(await refused(create, { name: "a", instance_krn: "x" })).toEqual([
    400,
    "instance_krn: is not that of the path",
  ]);
  const nowhere = "POST /vm/v1/instance/createimage/x";
  expect(await refused(nowhere, { name: "a" })).toEqual([404, "instance x not found"]);
  const more = { instanceName: "b-fails", volume_name: "b-volume" };
  const failed = await makeInstance(emulator, site, more);
  expect(await refused(create.replace(vm, failed), { name: "a" })).toEqual([
    409,
    "instance b-fails is ERROR",
  ]);
  emulator.configure({ assume: { equalNames: false } });
  await emulator.call(create, { body: { name: "a" } });
  expect(await refused(create, { name: "a" })).toEqual([409, "image a already exists"]);
});

test("an image remains after the delete of its machine and is deleted immediately; a public one never", async () => {
  const { emulator, vm, create } = await ready();
  const krn = textAt((await emulator.call(create, { body: { name: "golden" } })).body, "image");
  const remove = `DELETE /vm/v1/image/${krn}`;
  expect(await refusal(emulator, remove, plain)).toEqual([409, "image golden is creating"]);
  await emulator.clock.advance(1000);
  await emulator.call(`DELETE /vm/v1/delete_instance_async?instanceKrn=${vm}`);
  await emulator.clock.advance(1000);
  expect(await own(emulator)).toMatchObject([{ status: "active" }]);
  const reply = await emulator.call(`${remove}?snapshot_krn=${krn}`, plain);
  expect([reply.status, reply.body]).toEqual([204, undefined]);
  expect(await own(emulator)).toEqual([]);
  expect(await refusal(emulator, remove, plain)).toEqual([404, `image ${krn} not found`]);
  const open = `krn:vm:${region}:default:default:image:00000000-0000-4000-8000-000000000101`;
  expect(await refusal(emulator, `DELETE /vm/v1/image/${open}`)).toEqual([403, `image ${open} is public`]);
});

test("an image is imported from a URL and named after the file", async () => {
  const emulator = cloud();
  const reply = await emulator.call(fromUrl, source());
  expect([reply.status, reply.body]).toEqual([202, { message: "image upload accepted" }]);
  await emulator.clock.advance(1000);
  expect(await own(emulator)).toMatchObject([{ name: "debian-12", status: "active" }]);
});

test("an image is uploaded as a file with any content", async () => {
  const emulator = cloud();
  const file = form({ diskFormat: "raw", image: ["disk.raw", "a\r\n--mar\r\n\r\nb"] });
  expect((await emulator.call(fromFile, file)).status).toBe(202);
  expect(await own(emulator)).toMatchObject([{ name: "disk", status: "creating" }]);
});

test("a form that the platform encodes is parsed as well", async () => {
  const emulator = cloud();
  const body = new FormData();
  body.set("diskFormat", "iso");
  body.set("image", new File([new Uint8Array([0, 255, 13, 10])], "rescue.iso"));
  const headers = { authorization: "Bearer emulator-key" };
  const url = `http://127.0.0.1/vm/v1/image/${region}`;
  expect((await emulator.fetch(url, { method: "POST", headers, body })).status).toBe(202);
  expect(await own(emulator)).toMatchObject([{ name: "rescue" }]);
});

test("an upload fails by its name", async () => {
  const emulator = cloud();
  await emulator.call(fromUrl, source("https://files.example/a-fails.raw"));
  await emulator.clock.advance(1000);
  expect(await own(emulator)).toMatchObject([{ name: "a-fails", status: "error" }]);
});

test.each([
  ["JSON", { body: { diskFormat: "raw" } }, "header content-type: must be multipart/form-data"],
  ["a form cut short", { ...source(), text: "--mark\r\n" }, "body: not valid multipart"],
  [
    "a part without a name",
    { ...source(), text: "--mark\r\n\r\nx\r\n--mark--" },
    "body: not valid multipart",
  ],
  [
    "a field given twice",
    { ...source(), text: source().text.replace("diskFormat", "image") },
    "image: given twice",
  ],
  [
    "an unknown format",
    source(undefined, { diskFormat: "zip" }),
    "diskFormat: must be one of qcow2, vhd, vhdx, vmdk, raw, iso",
  ],
  ["no URL", source("debian.qcow2"), "image: must be an http or https URL"],
  ["a URL without a file", source("https://files.example/"), "image: must name a file"],
  ["another field", source(undefined, { name: "x" }), 'name: unknown field "name"'],
])("%s is a 400", async (_, options, message) => {
  expect(await refusal(cloud(), fromUrl, options)).toEqual([400, message]);
});

test("an upload without a file is a 400", async () => {
  expect(await refusal(cloud(), fromFile, source())).toEqual([400, "image: must be a file"]);
});

test("the disk formats are listed", async () => {
  expect((await cloud().call("GET /vm/v1/image/disk-formats", plain)).body).toEqual([
    "qcow2",
    "vhd",
    "vhdx",
    "vmdk",
    "raw",
    "iso",
  ]);
});
