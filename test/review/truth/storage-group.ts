import type { Item, WrittenValue } from "../../adapter/adapter.ts";
import type { Draw } from "../../simulation/draw.ts";
import { changed, cloudName, edited, type Group, type GroupOf, given, item, of, volumeItem } from "./part.ts";
import type { WrittenOutput } from "./program.ts";

/** Groups of object storage: lifecycle rules, policies, public objects, and secrets that an edit publishes. */

type Changes = Readonly<Record<string, WrittenValue | undefined>>;

const bucketItem = (id: string, name: string, more: Changes = {}): Item =>
  item(`${id}_${name}`, "bucket", { name: cloudName(`${id}_${name}`), ...given(more) });

/** Edits of a lifecycle rule: its inputs before and after. */
const ageEdits: readonly (readonly [Changes, Changes])[] = [
  // Objects are discarded earlier, or newly.
  [{ expirationDays: 30 }, { expirationDays: 7 }],
  [{ expirationDays: 30 }, { expirationDays: 29, noncurrentDays: 90 }],
  [{ noncurrentDays: 60 }, { noncurrentDays: 10 }],
  [{ deleteIncompleteMpu: 3 }, { deleteIncompleteMpu: 3, expirationDays: 90 }],
  [{ deleteIncompleteMpu: 3 }, { deleteIncompleteMpu: 3, noncurrentDays: 5, newerNoncurrentVersions: 2 }],
  [
    { noncurrentDays: 30, newerNoncurrentVersions: 5 },
    { noncurrentDays: 30, newerNoncurrentVersions: 2 },
  ],
  [{ noncurrentDays: 30, newerNoncurrentVersions: 5 }, { noncurrentDays: 30 }],
  [
    { expirationDays: 14, enabled: false },
    { expirationDays: 14, enabled: true },
  ],
  // Objects are kept as long or longer.
  [{ expirationDays: 7 }, { expirationDays: 30 }],
  [{ expirationDays: 7, noncurrentDays: 9 }, { expirationDays: 7 }],
  [{ noncurrentDays: 10 }, { noncurrentDays: 60 }],
  [
    { noncurrentDays: 30, newerNoncurrentVersions: 2 },
    { noncurrentDays: 30, newerNoncurrentVersions: 5 },
  ],
  [{ noncurrentDays: 20 }, { noncurrentDays: 20, newerNoncurrentVersions: 3 }],
  [{ expirationDays: 14 }, { expirationDays: 14, enabled: false }],
  [
    { expirationDays: 30, enabled: false },
    { expirationDays: 5, enabled: false },
  ],
  [
    { deleteIncompleteMpu: 7, expirationDays: 30 },
    { deleteIncompleteMpu: 1, expirationDays: 30 },
  ],
];

/** Bucket with a lifecycle rule. */
export const ageGroup: GroupOf = (draw, id) => {
  const bucket = bucketItem(id, "aged", { versioning: draw.chance(0.5) ? true : undefined });
  const [from, to] = draw.pick(ageEdits);
  const rule = item(`${id}_rule`, "lifecycle-rule", {
    bucketId: of(bucket.name),
    name: cloudName(`${id}_rule`),
  });
  const [old, next] = [changed(rule, from), changed(rule, to)];
  return edited(
    draw,
    ["edit", "edit", "edit", "edit", "edit", "edit", "create", "new", "delete", "move", "none"],
    [bucket, old],
    {
      create: () => ({ before: [bucket], after: [bucket, next] }),
      new: () => ({ before: [], after: [bucket, next] }),
      delete: () => [bucket],
      move: () => {
        const other = bucketItem(id, "other");
        return {
          before: [bucket, other, old],
          after: [bucket, other, changed(old, { bucketId: of(other.name) })],
        };
      },
      edit: () => [bucket, next],
    },
  );
};

/** Lists of addresses; the first ones contain few addresses, the others many. */
const few: readonly (readonly string[])[] = [
  ["10.0.0.0/24"],
  ["192.0.2.7"],
  ["198.51.100.0/24", "10.0.0.0/8"],
  ["8.8.8.0/24"],
];
const many: readonly (readonly string[])[] = [
  ["0.0.0.0/0"],
  ["0.0.0.0/1", "128.0.0.0/1"],
  ["::/0"],
  ["64.0.0.0/2"],
  ["10.0.0.0/8", "0.0.0.0/0"],
];

/** Bucket with a policy by address. */
export const policyGroup: GroupOf = (draw, id) => {
  const bucket = bucketItem(id, "limited", { anonymousAccess: draw.chance(0.3) ? true : undefined });
  const list = draw.pick(["readWriteIps", "readOnlyIps"]);
  const hosts = () => [...draw.pick(draw.chance(0.6) ? many : few)];
  const policy = item(`${id}_policy`, "bucket-policy", { bucketId: of(bucket.name) });
  const old = changed(policy, { [list]: hosts() });
  const next = changed(policy, { [list]: hosts() });
  return edited(draw, ["edit", "edit", "edit", "add", "create", "new", "none"], [bucket, old], {
    add: () => [bucket, changed(old, { [list === "readOnlyIps" ? "readWriteIps" : "readOnlyIps"]: hosts() })],
    create: () => ({ before: [bucket], after: [bucket, next] }),
    new: () => ({ before: [], after: [bucket, next] }),
    edit: () => [bucket, next],
  });
};

/** Public and closed buckets with objects that are created, changed, renamed and moved. */
export const publicObjectGroup: GroupOf = (draw, id) => {
  const open = bucketItem(id, "open", { anonymousAccess: true });
  const closed = bucketItem(id, "closed");
  const buckets = [open, closed];
  const before: Item[] = [];
  const after: Item[] = [];
  for (let nth = 0; nth < 3; nth++) {
    const [own, other] = draw.chance(0.5) ? [open, closed] : [closed, open];
    const one = item(`${id}_object${nth}`, "object", {
      bucketId: of(own.name),
      key: `${id}/object-${nth}.txt`,
      content: `content ${id} ${nth}`,
    });
    const edit = draw.pick(["create", "content", "key", "move", "delete", "none"]);
    if (edit !== "create") before.push(one);
    if (edit === "content") after.push(changed(one, { content: `another ${id} ${nth}` }));
    else if (edit === "key") after.push(changed(one, { key: `${id}/renamed-${nth}.txt` }));
    else if (edit === "move") after.push(changed(one, { bucketId: of(other.name) }));
    else if (edit !== "delete") after.push(one);
  }
  return { before: [...buckets, ...before], after: [...buckets, ...after] };
};

const statement = (effect: string, action: WrittenValue, resource: WrittenValue, more: object = {}) =>
  JSON.stringify([{ Effect: effect, Action: action, Resource: resource, ...more }]);

const narrowStatements = [
  statement("Allow", ["s3:GetObject"], "bucket-a/readme.txt"),
  statement("Allow", ["s3:GetObject", "s3:ListBucket"], ["bucket-a", "bucket-b"]),
  statement("Deny", "*", "*"),
];
const wideStatements = [
  statement("Allow", "*", "*"),
  statement("Allow", ["s3:GetObject"], "*"),
  statement("Allow", ["*"], "bucket-a"),
  statement("Allow", ["s3:GetObject"], "bucket-a", { Principal: "*" }),
];

/** Policy of the account. */
export const statementGroup: GroupOf = (draw, id) => {
  const draws = () => draw.pick(draw.chance(0.6) ? wideStatements : narrowStatements);
  const policy = item(`${id}_grant`, "account-policy", {
    name: cloudName(`${id}_grant`),
    statements: draws(),
  });
  return edited(draw, ["edit", "edit", "edit", "create", "name", "delete"], [policy], {
    create: () => ({ before: [], after: [policy] }),
    name: () => [changed(policy, { name: cloudName(`${id}_other`) })],
    delete: () => [],
    edit: () => [changed(policy, { statements: draws() })],
  });
};

const letters = [..."ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz23456789"];

const textOf = (draw: Draw, length: number): string =>
  Array.from({ length }, () => draw.pick(letters)).join("");

/** Outputs, and metadata of a volume, of which some show a secret. */
export const secretGroup: GroupOf = (draw, id, engine): Group => {
  // A preview of Pulumi in JSON holds no outputs, and masks the secrets that others may show.
  if (engine !== "terraform") return { before: [], after: [] };
  const outputs: WrittenOutput[] = [];
  const secrets: Record<string, string> = {};
  for (let nth = 0; nth < 3; nth++) {
    const name = `${id}_output${nth}`;
    const shows = draw.pick(["plain", "marked", "secret", "secret", "base64", "url", "part"] as const);
    // A secret has a character that an encoding changes.
    const text = shows === "plain" ? `https://${cloudName(id)}.example.com/${nth}` : secretOf(draw);
    outputs.push({ name, text, shows });
    if (shows !== "plain") secrets[name] = text;
  }
  const marked: WrittenOutput = { name: `${id}_marked`, text: secretOf(draw), shows: "marked" };
  const disk = changed(volumeItem(draw, `${id}_noted`), { metadata: { team: "shop" } });
  secrets[disk.name] = marked.text;
  const variable = `var.secret_${marked.name}`;
  const note = draw.pick([`\${nonsensitive(${variable})}`, `\${${variable}}`, "none"]);
  return {
    before: [disk],
    after: [changed(disk, { metadata: { team: "shop", note } })],
    outputs: [...outputs, marked],
    secrets,
    isKnown: true,
  };
};

const secretOf = (draw: Draw): string => `${textOf(draw, 9)}/${textOf(draw, 9)}`;
