import { expect, test } from "@jest/globals";
import { inWordsOf } from "../../provider/core/wording.ts";
import { keptElsewhere, planDelete, planObject, planReplacement } from "../../provider/engine/engine.ts";
import { openCloud, resource } from "../support/cloud.ts";

/** Tests plans in which no two entries of the state may manage one object. */

const vpc = (nth: number) => `krn:vpc:In-Bangalore-1:000000000000:y:vpc:${nth}`;

const krn = (kind: string, uuid: string) => `krn:vm:In-Bangalore-1:000000000000:y:${kind}:${uuid}`;

const boot = {
  id: krn("volume", "11111111-1111-4111-8111-111111111111"),
  values: { vpcId: vpc(1), name: "a" },
};

const machine = {
  id: krn("instance", "22222222-2222-4222-8222-222222222222"),
  values: { vpcId: vpc(1), name: "worker-1", bootVolume: { sizeGb: 1 }, bootVolumeId: boot.id },
};

const batch = {
  id: krn("job", "33333333-3333-4333-8333-333333333333"),
  values: { vpcId: vpc(1), name: "worker", instances: [{ id: machine.id }] },
};

const bucket = {
  id: "krn:kos:In-Bangalore-1:000000000000:y:bucket:44444444-4444-4444-8444-444444444444",
  values: { name: "photos", forceDestroy: true },
};

const photo = { id: "a.jpg", values: { bucketId: bucket.id, key: "a.jpg" } };

const address = {
  id: krn("floating-ip", "66666666-6666-4666-8666-666666666666"),
  values: { vpcId: vpc(1), name: "web" },
};

const reachable = {
  ...machine,
  values: { ...machine.values, floatingIp: true, floatingIpId: address.id },
};

const contained = [
  { whole: "instance", entry: machine, part: "volume", kept: boot },
  { whole: "instance", entry: reachable, part: "floating-ip", kept: address },
  { whole: "instance-batch", entry: batch, part: "instance", kept: machine },
  { whole: "bucket", entry: bucket, part: "object", kept: photo },
] as const;

test("an object that is deleted with another one is not deleted while another entry keeps it, in any order", () => {
  for (const { whole, entry, part, kept } of contained) {
    const deletes: ((of: ReturnType<typeof openCloud>["session"]) => unknown[])[] = [
      (session) => planDelete(session, resource(whole), entry),
      (session) => [
        ...planObject(session, resource(whole), entry, { owner: entry.id }),
        // The plan of a replacement that the engine decides has the inputs only.
        ...planReplacement(session, resource(whole), { id: entry.id, values: { vpcId: vpc(1) } }),
      ],
    ];
    for (const plan of deletes) {
      const keep = (session: ReturnType<typeof openCloud>["session"]) =>
        planObject(session, resource(part), kept, { owner: kept.id });
      const [first, second] = [openCloud().session, openCloud().session];
      expect([keep(first), plan(first)]).toMatchObject([[], [{ title: "Object is managed twice" }]]);
      expect([plan(second), keep(second)]).toMatchObject([[], [{ title: "Object is managed twice" }]]);
    }
    const { session } = openCloud();
    const keptOf = keptElsewhere(session, resource(whole), entry, { owner: "urn:whole" });
    expect(keptOf(entry.id)).toBeUndefined();
    planObject(session, resource(part), kept, { owner: "urn:part" });
    expect(keptOf(entry.id)).toBe("part");
  }
});

test("a part is not deleted at its own address while the object that it is part of stays, in any order", () => {
  for (const { whole, entry, part, kept } of contained.filter((each) => each.part !== "object")) {
    const plans = () => {
      const { session } = openCloud();
      const keep = () => planObject(session, resource(whole), entry, { owner: entry.id });
      const drop = () => planDelete(session, resource(part), kept);
      return { session, keep, drop };
    };
    const [first, second, replaced, urns] = [plans(), plans(), plans(), plans()];
    expect([first.keep(), first.drop()]).toMatchObject([[], [{ title: "Object is managed twice" }]]);
    expect(second.drop()).toEqual([]);
    const [problem] = second.keep();
    expect(problem?.title).toBe("Object is managed twice");
    expect(inWordsOf("terraform", problem?.problem ?? "")).toContain(
      ", and deletes a part of it at another address",
    );
    replaced.keep();
    const values = { vpcId: vpc(1) };
    planReplacement(replaced.session, resource(whole), { id: entry.id, values });
    expect(replaced.drop()).toEqual([]);
    const keptOf = keptElsewhere(urns.session, resource(part), kept, { owner: "urn:part" });
    expect(keptOf(kept.id)).toBeUndefined();
    planObject(urns.session, resource(whole), entry, { owner: "urn:whole" });
    expect(keptOf(kept.id)).toBe("itself");
  }
  const { session } = openCloud();
  planObject(session, resource("bucket"), bucket, { owner: bucket.id });
  expect(planDelete(session, resource("object"), photo)).toEqual([]);
});

test("an instance that a smaller batch deletes is not deleted while another entry keeps it, in any order", () => {
  const instances = [
    { id: machine.id.replaceAll("2", "5"), status: "ACTIVE" },
    { id: machine.id, status: "ACTIVE" },
  ];
  const entry = { ...batch, values: { ...batch.values, instances, machineCount: 2 } };
  for (const fate of ["kept", "changed"] as const) {
    const plans = (machineCount: number) => {
      const { session } = openCloud();
      const planned = { ...entry.values, machineCount };
      const resize = () =>
        planObject(session, resource("instance-batch"), entry, { owner: "urn:batch", fate, planned });
      const keep = () => planObject(session, resource("instance"), machine, { owner: "urn:machine" });
      return { resize, keep };
    };
    const [first, second, same, larger] = [plans(1), plans(1), plans(2), plans(3)];
    expect([first.resize(), first.keep()]).toMatchObject([[], [{ title: "Object is managed twice" }]]);
    expect([second.keep(), second.resize()]).toMatchObject([[], [{ title: "Object is managed twice" }]]);
    expect([same.keep(), same.resize(), larger.keep(), larger.resize()]).toEqual([[], [], [], []]);
  }
});

test("a boot volume that is kept with its instance, a bucket that is not emptied, and two deletes, are no error", () => {
  const { session } = openCloud();
  expect(planObject(session, resource("object"), photo, { owner: photo.id })).toEqual([]);
  const full = { ...bucket, values: { ...bucket.values, forceDestroy: null } };
  expect(planDelete(session, resource("bucket"), full)).toEqual([]);
  expect(planObject(session, resource("volume"), boot, { owner: boot.id })).toEqual([]);
  const keeping = { ...machine, values: { ...machine.values, deleteOnTermination: false } };
  expect(planDelete(session, resource("instance"), keeping)).toEqual([]);
  const other = openCloud().session;
  expect(planDelete(other, resource("volume"), boot)).toEqual([]);
  expect(planDelete(other, resource("instance"), machine)).toEqual([]);
});

test("keys that are renamed in a circle are a problem of the last of their plans, a chain is none", () => {
  const { session } = openCloud();
  const bucketId = bucket.id;
  const rename = (from: string, to: string) =>
    planObject(
      session,
      resource("object"),
      { id: from, values: { bucketId, key: from } },
      {
        owner: from,
        fate: "kept",
        planned: {
          ...{ bucketId, key: to },
        },
      },
    );
  expect([rename("a", "b"), rename("b", "c"), rename("d", "a"), rename("e", "e")]).toEqual([[], [], [], []]);
  expect(rename("c", "a")).toEqual([
    {
      path: ["key"],
      problem:
        '"a" is renamed in this run too, in a circle ("c" to "a" to "b" to "c"): rename one of these objects to a temporary key first, in a run of its own',
    },
  ]);
});
