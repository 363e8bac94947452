import { expect, test } from "@jest/globals";
import { projectOf } from "../../account/export/project.ts";
import { everything } from "../../account/filter.ts";
import { type Progress, readInventory } from "../../account/inventory.ts";
import type { Gap } from "../../account/object.ts";
import { inWordsOf } from "../../provider/core/wording.ts";
import { readOnly } from "../../provider/engine/engine.ts";
import { resources } from "../../resources/index.ts";
import { type Between, openCloud } from "../support/cloud.ts";
import { createStack, longName, openAccount, read } from "./account.ts";

const account = await openAccount();

const described = ({ kind, scope, reason, isIncomplete }: Gap) =>
  `${isIncomplete ? "incomplete: " : ""}${kind}${scope === undefined ? "" : ` ${scope}`}: ${inWordsOf("terraform", reason)}`;

const unlisted = [
  "port-security-groups: the list security_groups is a part of each port, not an object",
  "ssh-key: the API finds SSH keys only by name",
  "ai-pod: no route of the API lists AI pods",
  "object: they are content, and no configuration: they are listed only if the kind is named",
  "account-policy: no route of the API lists account policies",
  "account-policy-attachment: no route of the API lists account policy attachments",
  "document-text: no route of the API lists document jobs",
  "document-information: no route of the API lists document jobs",
  "document-summary: no route of the API lists document jobs",
  "document-masking: no route of the API lists document jobs",
];

test("the inventory has every object that the API lists, in a stable order, and names the kinds that it does not list", async () => {
  const { objects, gaps } = await account.read();
  const called = objects.map(({ resource, name, id }) => `${resource.name}${name === id ? "" : ` ${name}`}`);
  expect(called).toEqual([
    ...["vpc lab", "vpc shop", "subnet back", "subnet office", "subnet desk"],
    ...["port idle", "port moved", "port reserved", "port web-port"],
    ...["port workers-1-port", "port workers-2-port", "port printer"],
    ...["floating-ip 198.18.0.1", "floating-ip reserved", "security-group staff", "security-group-rule"],
    ...called.filter((name) => name.startsWith("volume ")),
    ...called.filter((name) => name.startsWith("instance ")),
    ...["volume-attachment", "image golden", "instance-template worker", "instance-batch workers"],
    ...["bucket logs", "bucket-policy", "lifecycle-rule old", "access-key"],
  ]);
  expect(called.filter((name) => name.startsWith("volume ")).toSorted()).toEqual(
    [longName, "orders", "orders", "web-volume", "worker-volume", "worker-volume"].map(
      (name) => `volume ${name}`,
    ),
  );
  expect(gaps.map(described)).toEqual(unlisted);
  expect((await account.read()).objects.map(({ id }) => id)).toEqual(objects.map(({ id }) => id));
});

test("every request is a read", async () => {
  const { log } = account.cloud.emulator;
  const before = log.entries().length;
  const objects = account.cloud.emulator.inventory.list();
  await account.read();
  const sent = log.entries().slice(before);
  expect(sent.length).toBeGreaterThan(20);
  expect(sent.filter(({ method, path }) => method !== "GET" && path !== "/v1/highlvlvpc/get_vpc")).toEqual(
    [],
  );
  expect(account.cloud.emulator.inventory.list()).toEqual(objects);
});

test("1,000 objects in 10 VPCs need at most 150 requests and 15 s at the default rate and 100 ms a request", async () => {
  let requests = 0;
  const counting: Between = {
    wrap: (transport) => ({
      send(request, signal) {
        requests += 1;
        return transport.send(request, signal);
      },
    }),
  };
  const cloud = openCloud({ taskMs: 0 }, {}, counting);
  const of = (ref: string) => ({ ref, property: "id" });
  const names = Array.from({ length: 10 }, (_, index) => `vpc-${index}`);
  await createStack(
    cloud,
    names.flatMap((name) => [
      { name, resource: "vpc", inputs: { name, primarySubnet: { name: "first", cidr: "10.0.0.0/16" } } },
      ...Array.from({ length: 98 }, (_, index) => ({
        name: `${name}-${index}`,
        resource: index < 60 ? "volume" : "security-group",
        inputs: {
          vpcId: of(name),
          name: `object-${index}`,
          ...(index < 60 && { sizeGb: 1, volumeType: "ssd" }),
        },
      })),
    ]),
  );
  cloud.emulator.faults.add({ target: "*", kind: "delay", delayMs: 100 });
  requests = 0;
  const began = cloud.elapsed();
  const progress: Progress[] = [];
  const { objects } = await cloud.run(
    readInventory(readOnly(cloud.reopen({ user: "ana", maxRequestsPerSecond: undefined })), {
      resources,
      filter: everything,
      stop: cloud.call.stop,
      report: (counts) => progress.push(counts),
    }),
  );
  expect(objects).toHaveLength(1000);
  expect(requests).toBeGreaterThan(50);
  expect(requests).toBeLessThanOrEqual(150);
  expect(cloud.elapsed() - began).toBeLessThanOrEqual(15_000);
  const { listings, objects: last } = progress.at(-1) ?? {};
  expect(last).toBe(1000);
  expect(listings?.done).toBe(listings?.known);
});

test("a VPC selects the objects in it, and needs no listing of buckets", async () => {
  const { objects, gaps } = await account.read({ vpcs: ["lab"] });
  expect(objects.map(({ resource, name }) => `${resource.name} ${name}`)).toEqual([
    "vpc lab",
    "subnet desk",
    "port printer",
    "volume orders",
  ]);
  expect(gaps).toEqual([]);
  const templates = await account.read({ vpcs: ["lab"], kinds: ["instance-template"] });
  expect(templates.objects).toEqual([]);
});

test("kinds, names, tags and exclusions select objects", async () => {
  const names = async (filter: object) => (await account.read(filter)).objects.map(({ name }) => name);
  expect(await names({ kinds: ["volume"], names: ["orders"], vpcs: ["shop"] })).toEqual(["orders"]);
  expect(await names({ tags: ["stage=live"] })).toEqual(["web", "logs"]);
  expect(await names({ kinds: ["instance"], excluded: ["workers*"] })).toEqual(["web"]);
});

test("a VPC that does not exist is an error that lists those that exist", async () => {
  await expect(account.read({ vpcs: ["shp"] })).rejects.toThrow(
    'No VPC has the name or the ID "shp"; listed: "lab", "shop".',
  );
});

test("a listing that the API refuses is a gap, and the other objects are there", async () => {
  const { emulator } = account.cloud;
  emulator.faults.add({ target: "list_security_groups", kind: "403" });
  const { objects, gaps } = await account.read({ kinds: ["volume", "security-group"], vpcs: ["lab"] });
  emulator.faults.clear();
  expect(objects.map(({ name }) => name)).toEqual(["orders"]);
  expect(gaps.map(described)).toEqual([
    expect.stringMatching(
      /^incomplete: security-group lab: looking for every security group failed: .*status 403/,
    ),
  ]);
});

test("an object that is listed and that no read finds is a gap", async () => {
  const { emulator } = account.cloud;
  emulator.faults.add({ target: "get_vpc", kind: "404", naming: account.ids.get("lab") });
  const { objects, gaps } = await account.read({ kinds: ["vpc"] });
  emulator.faults.clear();
  expect(objects.map(({ name }) => name)).toEqual(["shop"]);
  expect(gaps.map(described)).toEqual([
    expect.stringMatching(/^incomplete: vpc lab: importing the VPC failed: /),
  ]);
});

test("an object that is deleted between listing and read is a gap that leaves the inventory complete", async () => {
  let deleted: string | undefined;
  const cloud = openCloud(
    { taskMs: 0 },
    {},
    {
      wrap: (transport) => ({
        async send(request, signal) {
          const reply = await transport.send(request, signal);
          const url = new URL(request.url);
          if (deleted === undefined || !url.pathname.endsWith("/get_vpc_list")) return reply;
          url.pathname = url.pathname.replace("get_vpc_list", "delete_vpc");
          url.search = new URLSearchParams({ vpc_id: deleted }).toString();
          deleted = undefined;
          await transport.send({ ...request, method: "DELETE", url: url.href }, signal);
          return reply;
        },
      }),
    },
  );
  const stack = ["first", "second"].map((name) => ({ name, resource: "vpc", inputs: { name } }));
  deleted = (await createStack(cloud, stack)).get("first")?.id;
  const { objects, gaps } = await read(cloud, { kinds: ["vpc"] }, cloud.reopen());
  expect(objects.map(({ name }) => name)).toEqual(["second"]);
  expect(gaps.map(described)).toEqual(["vpc first: it was deleted while the account was read"]);
});

test("if every listing fails, so does the inventory, with the reason of the first one", async () => {
  const { emulator } = account.cloud;
  emulator.faults.add({ target: "*", kind: "401" });
  const failed = account.read();
  await expect(failed).rejects.toThrow(/^Looking for every VPC failed: .*status 401/);
  emulator.faults.clear();
});

test("kinds whose settings are missing are gaps, and are not listed", async () => {
  const cloud = openCloud({}, { accountId: undefined });
  const { gaps } = await read(cloud, { kinds: ["bucket", "inference-task"] }, cloud.reopen());
  expect(gaps.map(described)).toEqual([
    expect.stringMatching(/^bucket: account_id is required/),
    expect.stringMatching(/^inference-task: user is required/),
  ]);
  expect(cloud.emulator.log.entries()).toEqual([]);
});

test("a listing that repeats a row is incomplete: it may lack another object", async () => {
  const { cloud, read: readAll } = await openAccount();
  cloud.emulator.faults.add({ kind: "repeated-row", target: "list_volumes" });
  const { gaps } = await readAll();
  expect(gaps.map(described)).toContainEqual(
    expect.stringMatching(/^incomplete: volume .*: the listing shows it twice, so it may lack another one$/),
  );
});

test("an object that another one names and no listing shows makes the inventory incomplete", async () => {
  const { cloud, read: readAll } = await openAccount();
  cloud.emulator.faults.add({ kind: "empty-list", target: "list_volumes" });
  const { gaps } = await readAll();
  expect(gaps.map(described)).toContainEqual(
    expect.stringMatching(
      /^incomplete: volume krn:\S+: no listing shows it, although it is the volume_id of instance "web"$/,
    ),
  );
});

test("a batch of which a person renamed an instance leaves the inventory complete", async () => {
  const { cloud, read: readAll } = await openAccount();
  const member = cloud.emulator.inventory.list().find(({ name }) => name === "workers-1");
  cloud.emulator.inventory.change(member?.krn ?? "", { name: "renamed" });
  const { gaps } = await readAll();
  expect(gaps.filter(({ isIncomplete }) => isIncomplete).map(described)).toEqual([]);
});

test("a boot volume is no attachment of its own if the listing of instances masks their IDs", async () => {
  const { cloud, read: readAll } = await openAccount();
  cloud.emulator.faults.add({ kind: "masked-ids", target: "search_instances" });
  const session = readOnly(cloud.reopen());
  const { blocks } = projectOf(session, (await readAll({}, session)).objects);
  const attachments = blocks.filter(({ kind }) => kind === "volume-attachment");
  expect(attachments.filter(({ problems }) => problems.length === 0)).toEqual([]);
  expect(attachments.length).toBeGreaterThan(0);
});

test("a kind outside of VPCs is not selected by a VPC", async () => {
  const { objects } = await account.read({ vpcs: ["shop"], kinds: ["bucket", "subnet"] });
  expect([...new Set(objects.map(({ resource }) => resource.name))]).toEqual(["subnet"]);
});
