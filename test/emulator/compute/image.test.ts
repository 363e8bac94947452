import { expect, test } from "@jest/globals";
import { cloud, region } from "../client.ts";
import { openTour, scenario } from "../tour.ts";

const instance = ["create_vpc", "create_security_group", "create_ssh_key", "create_instance"];
const all = { limit: undefined };
const status = (status: string) => ({ "images.length": 3, "images.2.status": status });
const source = (id: string) => ({ "source.id": id });

scenario("an image of an instance boots others and volumes when it is active, and is deleted at once", [
  ...instance,
  ["create_image", { instance_krn: "x" }, "400 instance_krn: is not that of the path"],
  ["create_image", { name: "a-error-503" }, "503 refused because of the name a-error-503"],
  [
    "create_image",
    { instance_krn: undefined },
    { image: expect.stringMatching(/^krn:vm:In-Bangalore-1:0{12}:[0-9a-f-]{36}:image:/) },
  ],
  ["create_image", {}, "409 image golden already exists", { equalNames: false }],
  ["list_images", all, { ...status("creating"), "images.2.name": "golden" }],
  ["create_volume", source("{image}"), "409 image golden is creating"],
  ["create_instance", { image_krn: "{image}" }, "409 image golden is creating"],
  ["delete_image", {}, "409 image golden is creating"],
  1000,
  ["list_images", all, status("active")],
  ["list_images", { region: "In-Hyderabad-1", region_id: "", ...all }, { "images.length": 2 }],
  ["list_images", { region_id: "x" }, `400 query region_id: is not that of the path, ${region}`],
  ["list_images", { page: "2", limit: "2" }, { "images.0.name": "golden" }],
  ["create_volume", source("{image}"), 202],
  ["create_volume", source("x"), "404 image x not found; there are krn:vm:…, krn:vm:…, krn:vm:…"],
  ["create_instance", { image_krn: "{image}" }, 202],
  ["delete_image", { snapshot_krn: "x" }, "400 query snapshot_krn: is not that of the path"],
  ["delete_image", { snapshot_krn: "{image}" }, 204],
  ["delete_image", { image: "{create_image.image}" }, "404 image krn:… not found"],
  [
    "delete_image",
    { image: `krn:vm:${region}:default:default:image:00000000-0000-4000-8000-000000000101` },
    "403 image krn:… is public",
  ],
  ["create_image", {}, { task_id: expect.any(String) }, { imageCreateAnswer: "task" }],
  1000,
  ["get_instance_task_status", { task_id: "{create_image.task_id}" }, { status: "success" }],
]);

scenario("an uploaded image is named after its file and fails by its name", [
  [
    "import_image",
    { image: "https://images.example/disks/debian-12.raw" },
    { message: "image upload accepted" },
  ],
  ["list_images", all, { ...status("creating"), "images.2.name": "debian-12" }],
  [
    "import_image",
    { image: "https://images.example/debian-12" },
    "409 image debian-12 already exists",
    { equalNames: false },
  ],
  ["import_image", { image: "https://images.example/a-fails.raw" }, 202],
  ["import_image", { diskFormat: "zip" }, "400 diskFormat: must be one of qcow2, vhd, vhdx, vmdk, raw, iso"],
  ["import_image", { image: "debian.qcow2" }, "400 image: must be an http or https URL"],
  ["import_image", { image: "ftp://images.example/debian.qcow2" }, "400 image: must be an http or https URL"],
  ["import_image", { image: "https://images.example/" }, "400 image: must name a file"],
  ["upload_image", { image: { filename: ".raw", text: "x" } }, "400 image: must have a file name"],
  1000,
  ["list_images", all, { "images.3.status": "error" }],
]);

test("a form that the platform encodes is parsed as well", async () => {
  const { emulator, request } = openTour(cloud());
  const body = new FormData();
  body.set("diskFormat", "iso");
  body.set("image", new File([new Uint8Array([0, 255, 13, 10])], "rescue.iso"));
  const headers = { authorization: "Bearer emulator-key" };
  const url = `http://127.0.0.1/vm/v1/image/${region}`;
  expect((await emulator.fetch(url, { method: "POST", headers, body })).status).toBe(202);
  expect((await request("list_images", all)).body).toMatchObject({ images: [{}, {}, { name: "rescue" }] });
});

test.each([
  ["JSON", { body: { diskFormat: "raw" } }, "header content-type: must be multipart/form-data"],
  ["a form cut short", { text: "--mark\r\n" }, "body: not valid multipart"],
  ["a part without a name", { text: "--mark\r\n\r\nx\r\n--mark--" }, "body: not valid multipart"],
  [
    "a field given twice",
    { text: `${'--mark\r\ncontent-disposition: form-data; name="a"\r\n\r\nx\r\n'.repeat(2)}--mark--` },
    "a: given twice",
  ],
])("%s is a 400", async (_, content, message) => {
  const headers = { "content-type": "text" in content ? "multipart/form-data; boundary=mark" : "text/plain" };
  const { status, body } = await cloud().call(`POST /vm/v1/image/bucket/${region}`, { ...content, headers });
  expect([status, body]).toMatchObject([400, { message }]);
});
