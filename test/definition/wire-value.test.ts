import { expect, test } from "@jest/globals";
import fc from "fast-check";
import { secret, UNKNOWN, type Value, type Values } from "../../provider/core/value.ts";
import { inWordsOf } from "../../provider/core/wording.ts";
import { engine } from "../../provider/engine/engine.ts";
import { type Cloud, resource } from "../support/cloud.ts";
import { instance, logged, openNetwork, sentSince } from "../support/instance-world.ts";

/** Tests values that several attributes, or a value and its default, spell. */

const base64 = (text: string) => Buffer.from(text).toString("base64");
const script = "#!/bin/sh\necho ready\n";

/** Spellings of user data: attribute and value. */
const plain = (text: string): Values => ({ userData: text });
/** Returns user data in base64, with an empty text in the field for plain text. */
const besideEmpty = (text: string): Values => ({ userData: "", userDataBase64: base64(text) });
const encoded = (text: string): Values => ({ userDataBase64: base64(text) });

const shown = (cloud: Cloud, kind: string, before: Values, after: Values) => {
  const definition = resource(kind);
  const state = { id: "id", task: undefined, values: before, unread: [] };
  const { action, changes } = engine.plan(definition, state, after, cloud.session);
  return [
    action,
    ...changes.map(({ path, effect, recordOnly, reason = "" }) =>
      [path.join("."), recordOnly === true ? "record" : effect, inWordsOf("terraform", reason).split(":")[0]]
        .filter(Boolean)
        .join(" "),
    ),
  ];
};

const recorded = ["update", "userData record", "userDataBase64 record"];
const replaced = ["replace", "userData replace", "userDataBase64 replace"];

test.each([
  ["the same bytes in the other attribute", plain(script), encoded(script), recorded],
  ["the same bytes, back", encoded(script), plain(script), recorded],
  ["a final line break added", plain("echo ready"), plain("echo ready\n"), ["update", "userData record"]],
  ["a final line break removed, in the other attribute", plain("a\r\n\n"), encoded("a"), recorded],
  [
    "another spelling of the same bytes",
    encoded("a"),
    { userDataBase64: "YR==" },
    ["update", "userDataBase64 record"],
  ],
  ["other bytes", plain("a"), encoded("b"), replaced],
  ["another line break inside", plain("a\nb"), encoded("a\n\nb"), replaced],
  ["no user data any more", plain("a"), {}, ["replace", "userData replace"]],
  ["an unknown value", plain("a"), { userDataBase64: UNKNOWN as Value }, replaced],
  [
    "other line endings",
    plain("a\r\nb"),
    encoded("a\nb\n"),
    [
      "replace",
      "userData replace Only the line endings differ",
      "userDataBase64 replace Only the line endings differ",
    ],
  ],
])(
  "user data with %s is replaced only if the machine would get other bytes",
  async (_, from, to, expected) => {
    const { cloud, written } = await openNetwork();
    // The reason of a template and an instance goes on with the consequences of its replacement.
    for (const kind of ["instance", "instance-template"]) {
      const inputs = (own: Values) => engine.check(resource(kind), { ...written, ...own }).inputs;
      const strict = (rows: string[]) => rows.map((row) => row.replace(/ (The data|A batch).*/, ""));
      for (const mark of [
        (value: Value) => value,
        (value: Value) => (value === UNKNOWN ? value : secret(value)),
      ]) {
        const marked: Values = {};
        for (const [name, value] of Object.entries(to as Values)) marked[name] = mark(value);
        expect(strict(shown(cloud, kind, inputs(from), inputs(marked)))).toEqual(expected);
      }
    }
  },
);

test("an empty text beside the same bytes in the other attribute replaces no machine", async () => {
  const { cloud, inputs } = await openNetwork();
  const [from, to] = [inputs(plain(script)), inputs(besideEmpty(script))];
  for (const [before, after] of [
    [from, to],
    [to, from],
  ] as const)
    expect(shown(cloud, "instance", before, after)[0]).toBe("update");
});

test("equal bytes in any spelling replace no machine, and other bytes always do", async () => {
  const { cloud, inputs } = await openNetwork();
  const texts = fc
    .string({ minLength: 1 })
    .map((text) => text.replaceAll(/[\r\n]/g, "").toWellFormed() || "a");
  fc.assert(
    fc.property(texts, texts, fc.boolean(), fc.boolean(), (one, other, a, b) => {
      const [from, to] = [a ? plain(one) : encoded(one), b ? plain(other) : encoded(other)];
      const [action] = shown(cloud, "instance", inputs(from), inputs(to));
      return (action === "replace") === (one.normalize() !== other.normalize());
    }),
  );
});

test("user data that moves to the other attribute sends nothing, and the state has the new one", async () => {
  const { cloud, create, update, read, inputs } = await openNetwork();
  const state = await cloud.run(create(plain(script)));
  const from = logged(cloud);
  const after = await cloud.run(update(state, encoded(script)));
  expect(sentSince(cloud, from)).toEqual([]);
  expect([after.id, after.values.userData, after.values.userDataBase64]).toEqual([
    state.id,
    null,
    base64(script),
  ]);
  const seen = await cloud.run(read(after));
  expect(engine.plan(instance, seen, inputs(encoded(script)), cloud.session).action).toBe("none");
});

const vpcId = "krn:vpc:In-Bangalore-1:1:2:vpc:3";
const subnet = { name: "a", cidr: "10.0.0.0/24" };
const rule = {
  vpcId,
  securityGroupId: "g",
  direction: "ingress",
  protocol: "all",
  remoteIpPrefix: "10.0.0.0/8",
};

test.each<[string, Values, Values]>([
  [
    "vpc",
    { name: "net", primarySubnet: subnet },
    { name: "net", primarySubnet: { ...subnet, ipVersion: 4 } },
  ],
  ["security-group-rule", rule, { ...rule, portRangeMin: 1, portRangeMax: 65_535 }],
])("a %s whose default is now written is not replaced", async (kind, from, to) => {
  const { cloud } = await openNetwork();
  const inputs = (own: Values) => engine.check(resource(kind), own).inputs;
  for (const [a, b] of [
    [from, to],
    [to, from],
  ] as const) {
    const [action, ...changes] = shown(cloud, kind, inputs(a), inputs(b));
    expect(action).toBe("update");
    expect(changes.every((change) => change.endsWith("record"))).toBe(true);
  }
});

test("the default name of a boot volume, the short form of an id and a tag of the provider replace no machine", async () => {
  const { cloud, create, update, inputs, written } = await openNetwork(
    {},
    { defaultTags: JSON.stringify({ team: "orders" }) },
  );
  const state = await cloud.run(create({ tags: { tier: "web" } }));
  const { bootVolume, subnetId, securityGroups } = written;
  const change = {
    bootVolume: { ...(bootVolume as Values), name: "web-volume" },
    vpcId: String(written.vpcId).split(":").at(-1) ?? "",
    subnetId: String(subnetId).split(":").at(-1) ?? "",
    securityGroups: (securityGroups as string[]).map((id) => id.split(":").at(-1) ?? ""),
    tags: { tier: "web", team: "orders" },
  };
  const { action, changes } = engine.plan(instance, state, inputs(change), cloud.session);
  expect(action).toBe("update");
  expect(changes.map(({ path, recordOnly }) => [path.join("."), recordOnly])).toEqual([
    ["bootVolume.name", true],
    ["tags", true],
  ]);
  const from = logged(cloud);
  const after = await cloud.run(update(state, { bootVolume: change.bootVolume, tags: change.tags }));
  expect(sentSince(cloud, from)).toEqual([]);
  expect([after.id, after.values.tags, after.values.tagsAll]).toEqual([
    state.id,
    { tier: "web", team: "orders" },
    { tier: "web", team: "orders" },
  ]);
  // The reverse, and with other tags of the provider by now.
  const session = cloud.reopen({ defaultTags: JSON.stringify({ team: "orders", cost: "1" }) });
  expect(engine.plan(instance, after, inputs({ tags: { tier: "web" } }), session).changes).toMatchObject([
    { path: ["bootVolume", "name"], recordOnly: true },
    { path: ["tags"], recordOnly: true },
  ]);
  const gone = cloud.reopen({ defaultTags: JSON.stringify({ team: "billing" }) });
  expect(engine.plan(instance, after, inputs({ tags: { tier: "web" } }), gone).action).toBe("replace");
});
