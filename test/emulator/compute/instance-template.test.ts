import { expect, test } from "@jest/globals";
import {
  at,
  type Cloud,
  image,
  makeGroup,
  makeTemplate,
  makeVpc,
  openSite,
  refusal,
  region,
  templateBody,
  textAt,
} from "../client.ts";

const create = "POST /vm/v1/instance-templates/create";
const path = (verb: string, krn: string) => `/vm/v1/instance-templates/${verb}?template_krn=${krn}`;

const list = async (emulator: Cloud, query = "") =>
  (await emulator.call(`GET /vm/v1/instance-templates/list${query}`)).body;

test("a template exists immediately, and a read returns all of its fields", async () => {
  const { emulator, site } = await openSite();
  const made = await emulator.call(create, { body: templateBody(site, { user_data: "IyE=" }) });
  const network = emulator.inventory.list().find(({ kind }) => kind === "network");
  const whole = {
    template_krn: expect.stringMatching(/^krn:vm:In-Bangalore-1:000000000000:.*:template:/),
    name: "web",
    account_id: "000000000000",
    customer_id: "00000000-0000-4000-8000-000000000000",
    created_at: "2026-01-01T00:00:01.000Z",
    updated_at: "2026-01-01T00:00:01.000Z",
    config: {
      image_krn: image,
      image_name: "Ubuntu-24.04",
      instanceType: "c1.small",
      isGpu: false,
      network_id: network?.krn,
      network_name: "net-network",
      region,
      security_groups: [site.group],
      security_group_names: ["web"],
      sshkey_name: "demo-key",
      subnet_id: site.subnet,
      subnet_name: "net-subnet",
      user_data: "IyE=",
      volume_name: "web-volume",
      volume_size: 50,
      volumetype: "ssd",
      vpc_id: site.vpc,
      vpc_name: "net",
    },
  };
  expect([made.status, made.body]).toEqual([201, whole]);
  const krn = textAt(made.body, "template_krn");
  const read = await emulator.call(`GET ${path("details", krn)}`);
  expect([read.status, read.body]).toEqual([200, made.body]);
  expect(await list(emulator)).toEqual({ templates: [made.body], total_count: 1, page: 1, limit: 10 });
});

test.each([
  ["no name", { name: undefined }, 400, "name: required"],
  ["no image", { image_krn: undefined }, 400, "image_krn: required"],
  ["no group", { security_groups: [] }, 400, "security_groups: must not be empty"],
  ["a size of 0", { volume_size: 0 }, 400, "volume_size: must be 1 or more (GB)"],
  ["an unknown field", { count: 2 }, 400, 'count: unknown field "count"'],
  ["another region", { region: "In-Hyderabad-1" }, 400, "region: is not that of the header, In-Bangalore-1"],
  ["an unknown VPC", { vpc_id: "x" }, 404, "VPC x not found"],
  ["an unknown subnet", { subnet_id: "x" }, 404, "subnet x not found in VPC net"],
  ["an unknown group", { security_groups: ["x"] }, 404, "security group x not found"],
  ["an unknown key", { sshkey_name: "x" }, 404, "SSH key x not found"],
  [
    "an unknown type",
    { instanceType: "x" },
    404,
    "instance type x not found; there are c1.small, c1.medium, c1.large, g1.large",
  ],
  [
    "a name that selects a rejection",
    { name: "a-error-429" },
    429,
    "refused because of the name a-error-429",
  ],
])("a template with %s is rejected, and nothing is created", async (_, wrong, status, message) => {
  const { emulator, site } = await openSite();
  const before = emulator.inventory.list();
  expect(await refusal(emulator, create, { body: templateBody(site, wrong) })).toEqual([status, message]);
  expect(emulator.inventory.list()).toEqual(before);
});

test("a group of another VPC is refused, and user data that is not base64 if a switch is set", async () => {
  const { emulator, site } = await openSite({ assume: { userDataForm: "base64" } });
  const strange = await makeGroup(emulator, await makeVpc(emulator, "other"), "strange");
  const refused = (more: Record<string, unknown>) =>
    refusal(emulator, create, { body: templateBody(site, more) });
  expect(await refused({ security_groups: [strange] })).toEqual([
    400,
    "security group strange is not of VPC net",
  ]);
  expect(await refused({ user_data: "#!" })).toEqual([400, "user_data: must be base64"]);
});

test("two templates may have one name unless the switch forbids it", async () => {
  const { emulator, site } = await openSite();
  await makeTemplate(emulator, site);
  await makeTemplate(emulator, site);
  expect(await list(emulator)).toMatchObject({ total_count: 2 });
  emulator.configure({ assume: { equalNames: false } });
  expect(await refusal(emulator, create, { body: templateBody(site) })).toEqual([
    409,
    "template web already exists",
  ]);
});

test("the list is paged, of the region alone, and may be called data", async () => {
  const { emulator, site } = await openSite({ assume: { templateListShape: "data", templatePageMax: 5 } });
  for (let i = 1; i <= 12; i++) await makeTemplate(emulator, site, { name: `web-${i}` });
  const last = await list(emulator, "?page=3&limit=100");
  expect(last).toMatchObject({
    data: [{ name: "web-11" }, { name: "web-12" }],
    total_count: 12,
    page: 3,
    limit: 5,
  });
  const headers = { "x-region": "In-Hyderabad-1" };
  const elsewhere = await emulator.call("GET /vm/v1/instance-templates/list", { headers });
  expect(elsewhere.body).toEqual({ data: [], total_count: 0, page: 1, limit: 5 });
});

test("a deleted template disappears immediately; the objects that it names do not depend on it", async () => {
  const { emulator, site } = await openSite();
  const krn = await makeTemplate(emulator, site);
  expect((await emulator.call(`DELETE /securityGroup/v1/${site.group}`)).status).toBe(204);
  const gone = await emulator.call(`DELETE ${path("delete", krn)}`);
  expect([gone.status, gone.body]).toEqual([200, { message: "template deleted" }]);
  const missing = [404, `template ${krn} not found`];
  expect(await refusal(emulator, `GET ${path("details", krn)}`)).toEqual(missing);
  expect(await refusal(emulator, `DELETE ${path("delete", krn)}`)).toEqual(missing);
  expect(await list(emulator)).toMatchObject({ templates: [] });
});

test("new and deleted templates show in the list later, by the lag", async () => {
  const { emulator, site } = await openSite({ listingLagMs: 3000 });
  const krn = await makeTemplate(emulator, site);
  const names = async () => at(await list(emulator), "total_count");
  expect(await names()).toBe(0);
  await emulator.clock.advance(3000);
  expect(await names()).toBe(1);
  await emulator.call(`DELETE ${path("delete", krn)}`);
  expect(await names()).toBe(1);
  await emulator.clock.advance(3000);
  expect(await names()).toBe(0);
});
