import { expect, test } from "@jest/globals";
import { at, type Cloud, cloud, makeSite, makeTemplate, refusal, type Site, textAt } from "../client.ts";

const create = "POST /vm/v1/batch-vm-create";

async function ready(options: Parameters<typeof cloud>[0] = {}, cidr = "10.0.0.0/24") {
  const emulator = cloud(options);
  const site = await makeSite(emulator, "net", cidr);
  return { emulator, site, template: await makeTemplate(emulator, site) };
}

const batchBody = (template_krn: string, more: Record<string, unknown> = {}) => ({
  template_krn,
  count: 2,
  instanceName: "web",
  ...more,
});

const search = async (emulator: Cloud, site: Site, query = "") =>
  (await emulator.call(`GET /vm/v1/search_instances?vpc_id=${site.vpc}${query}`)).body;
const rows = async (emulator: Cloud, site: Site) =>
  at(await search(emulator, site, "&limit=100"), "instances") as Record<string, unknown>[];

test("a batch returns a job; the search shows its machines with separate tasks", async () => {
  const { emulator, site, template } = await ready();
  const made = await emulator.call(create, { body: batchBody(template) });
  const job_id = textAt(made.body, "job_id");
  const expected = { batch_source: "template", message: "batch creation accepted", total_count: 2 };
  expect([made.status, made.body]).toEqual([202, { ...expected, job_id }]);
  const building = { status: "BUILD", batch_id: job_id, security_groups: [site.group] };
  expect(await rows(emulator, site)).toMatchObject([
    { vm_name: "web-1", ...building },
    { vm_name: "web-2", ...building },
  ]);
  await emulator.clock.advance(1000);
  const done = await rows(emulator, site);
  expect(done).toMatchObject([
    { status: "ACTIVE", flavor_name: "c1.small", ip_fixed: "10.0.0.2" },
    { status: "ACTIVE", flavor_name: "c1.small", ip_fixed: "10.0.0.3" },
  ]);
  const [first, second] = done.map(({ task_id }) => String(task_id));
  expect(first).not.toBe(second);
  const task = await emulator.call(`GET /vm/v1/get_instance_task_status?task_id=${second}`);
  expect(task.body).toEqual({ task_id: second, status: "success" });
  expect(new Set(done.map(({ volume_krn }) => volume_krn)).size).toBe(2);
});

test("the batch id of the machines differs from the job id if a switch is set", async () => {
  const { emulator, site, template } = await ready({ assume: { batchIdIsJob: false } });
  const job = textAt((await emulator.call(create, { body: batchBody(template) })).body, "job_id");
  const ids = new Set((await rows(emulator, site)).map(({ batch_id }) => batch_id));
  expect(ids.size).toBe(1);
  expect(ids.has(job)).toBe(false);
});

test.each([
  ["restart at 1", "restart", ["web-1", "web-2", "web-1", "web-2"]],
  ["continue", "continue", ["web-1", "web-2", "web-3", "web-4"]],
] as const)("the numbers of a second batch %s", async (_, batchNames, names) => {
  const { emulator, site, template } = await ready({ assume: { batchNames } });
  for (const _ of [1, 2]) await emulator.call(create, { body: batchBody(template) });
  expect((await rows(emulator, site)).map(({ vm_name }) => vm_name)).toEqual(names);
});

test("numbering continues if names must be unique", async () => {
  const { emulator, site, template } = await ready({ assume: { equalNames: false } });
  for (const _ of [1, 2]) await emulator.call(create, { body: batchBody(template, { count: 1 }) });
  expect((await rows(emulator, site)).map(({ vm_name }) => vm_name)).toEqual(["web-1", "web-2"]);
});

test("the names of a batch end with random digits if a switch is set", async () => {
  const { emulator, site, template } = await ready({ assume: { batchNames: "random" } });
  await emulator.call(create, { body: batchBody(template) });
  const names = (await rows(emulator, site)).map(({ vm_name }) => String(vm_name));
  expect(names).toEqual([expect.stringMatching(/^web-[0-9a-f]{8}$/), expect.stringMatching(/^web-/)]);
  expect(new Set(names).size).toBe(2);
});

test.each([
  ["no template", { template_krn: "x" }, 404, "template x not found"],
  ["a count of 0", { count: 0 }, 400, "count: must be 1 or more"],
  ["a count as text", { count: "2" }, 400, "count: must be of type number"],
  ["no name", { instanceName: undefined }, 400, "instanceName: required"],
  ["an unknown field", { name: "x" }, 400, 'name: unknown field "name"'],
  [
    "a name that selects a rejection",
    { instanceName: "a-error-503" },
    503,
    "refused because of the name a-error-503",
  ],
])("a batch with %s is rejected, and nothing is created", async (_, wrong, status, message) => {
  const { emulator, template } = await ready();
  const before = emulator.inventory.list();
  const body = batchBody(template, wrong);
  expect(await refusal(emulator, create, { body })).toEqual([status, message]);
  expect(emulator.inventory.list()).toEqual(before);
});

test("a batch is created completely or not at all: a subnet that is too small rejects it", async () => {
  const { emulator, template } = await ready({}, "10.0.0.0/29");
  const before = emulator.inventory.list();
  expect(await refusal(emulator, create, { body: batchBody(template, { count: 6 }) })).toEqual([
    409,
    "subnet net-subnet has no free address",
  ]);
  expect(emulator.inventory.list()).toEqual(before);
});

test("a template with deleted parts creates no machines", async () => {
  const { emulator, site, template } = await ready();
  await emulator.call(`DELETE /securityGroup/v1/${site.group}`);
  expect(await refusal(emulator, create, { body: batchBody(template) })).toEqual([
    404,
    `security group ${site.group} not found`,
  ]);
});

test("the template of running machines can be deleted", async () => {
  const { emulator, site, template } = await ready();
  await emulator.call(create, { body: batchBody(template) });
  const path = `DELETE /vm/v1/instance-templates/delete?template_krn=${template}`;
  expect((await emulator.call(path)).status).toBe(200);
  await emulator.clock.advance(1000);
  expect(await rows(emulator, site)).toMatchObject([{ status: "ACTIVE" }, { status: "ACTIVE" }]);
});

test("in a batch that fails by its name, only the last machine fails", async () => {
  const { emulator, site, template } = await ready();
  await emulator.call(create, { body: batchBody(template, { count: 3, instanceName: "web-fails" }) });
  await emulator.clock.advance(1000);
  expect(await rows(emulator, site)).toMatchObject([
    { vm_name: "web-fails-1", status: "ACTIVE" },
    { vm_name: "web-fails-2", status: "ACTIVE" },
    { vm_name: "web-fails-3", status: "ERROR", failure_reason: "failed because of the name web-fails" },
  ]);
});

test("a batch with a lost response creates its machines once", async () => {
  const { emulator, site, template } = await ready();
  emulator.faults.add({ target: "batch_create_instances", kind: "504", when: "after", from: 1, times: 1 });
  expect((await emulator.call(create, { body: batchBody(template) })).status).toBe(504);
  expect(await rows(emulator, site)).toHaveLength(2);
});

test("one request creates five hundred machines", async () => {
  const { emulator, site, template } = await ready({}, "10.0.0.0/20");
  await emulator.call(create, { body: batchBody(template, { count: 500 }) });
  await emulator.clock.advance(1000);
  expect(await search(emulator, site, "&limit=100&page=1")).toMatchObject({
    total_count: 500,
    total_pages: 5,
  });
});
