import { secret, UNKNOWN, type Value } from "../../../../provider/core/value.ts";
import { changeOf, planOf, unchanged } from "../../change-of.ts";
import type { RuleCase } from "./case.ts";

const bucket = { name: "site", anonymousAccess: false };
const open = { ...bucket, anonymousAccess: true };
const key = { name: "reports" };
const pod = { name: "train", encryptVolume: true };
const policy = { bucketId: "site", readOnlyIps: ["10.0.0.1"] };
const sshKey = { name: "deploy" };
const instance = { vpcId: "vpc-1", name: "web", sshkeyName: "deploy" };

const hostPolicy = { bucketId: "bucket-site-id", readWriteIps: ["192.0.2.0/24"], readOnlyIps: [] };
const accountPolicy = { name: "readers", statements: '[{"Effect":"Allow","Action":"get"}]' };
const content = { bucketId: "bucket-site-id", key: "a.txt", content: "hello" };

export const accessCases: readonly RuleCase[] = [
  {
    rule: "PUB-01",
    name: "a bucket that becomes public",
    plans: [planOf([changeOf("bucket", bucket, open)])],
    finds: ['Everyone can read the objects of bucket "site"'],
  },
  {
    rule: "PUB-01",
    name: "a new public bucket",
    plans: [planOf([changeOf("bucket", undefined, open)])],
    finds: ["Everyone can read"],
  },
  {
    rule: "PUB-01",
    name: "a bucket that the apply may make public",
    plans: [planOf([changeOf("bucket", bucket, { ...bucket, anonymousAccess: UNKNOWN })])],
    finds: [{ confidence: "likely", text: "Everyone may be able to read" }],
  },
  {
    rule: "PUB-01",
    name: "a bucket that stays public",
    plans: [planOf([changeOf("bucket", open, { ...open, tags: { a: "b" } })])],
    finds: [],
  },
  {
    rule: "PUB-01",
    name: "a public bucket that is replaced",
    plans: [planOf([changeOf("bucket", open, { ...open, name: "other" })])],
    finds: [],
  },
  {
    rule: "PUB-01",
    name: "a bucket that is no longer public",
    plans: [planOf([changeOf("bucket", open, bucket)])],
    finds: [],
  },
  {
    rule: "PUB-01",
    name: "a new bucket without the flag",
    plans: [planOf([changeOf("bucket", undefined, { name: "site" })])],
    finds: [],
  },
  {
    rule: "PUB-01",
    name: "a public bucket that is imported",
    plans: [planOf([unchanged("bucket", open, { importedId: "site" })])],
    finds: [],
  },

  {
    rule: "PUB-02",
    name: "a public bucket whose name suggests backups",
    plans: [planOf([changeOf("bucket", undefined, { ...open, name: "db-backups" })])],
    finds: ['The name of bucket "db-backups"'],
  },
  {
    rule: "PUB-02",
    name: "a public bucket with another name",
    plans: [planOf([changeOf("bucket", undefined, open)])],
    finds: [],
  },
  {
    rule: "PUB-02",
    name: "a private bucket whose name suggests backups",
    plans: [planOf([changeOf("bucket", undefined, { ...bucket, name: "db-backups" })])],
    finds: [],
  },

  {
    rule: "SEC-01",
    name: "a deleted key",
    plans: [planOf([changeOf("access-key", key, undefined)])],
    finds: ['Access key "reports" is deleted, and no longer works.'],
  },
  {
    rule: "SEC-01",
    name: "a key that is replaced",
    plans: [planOf([changeOf("access-key", key, { ...key, rotateWhenChanged: { at: "2" } })])],
    finds: ["is replaced, and the old one no longer works"],
  },
  {
    rule: "SEC-01",
    name: "a forgotten key, which stays valid",
    plans: [planOf([changeOf("access-key", key, undefined, { action: "forget" })])],
    finds: [],
  },
  { rule: "SEC-01", name: "a new key", plans: [planOf([changeOf("access-key", undefined, key)])], finds: [] },

  {
    rule: "SEC-02",
    name: "a new key",
    plans: [planOf([changeOf("access-key", undefined, key)])],
    finds: ['The secret of access key "reports" is stored in the state.'],
  },
  {
    rule: "SEC-02",
    name: "a new key whose secret is encrypted",
    plans: [
      planOf([
        changeOf("access-key", undefined, { ...key, recipientPublicKey: "-----BEGIN PUBLIC KEY-----" }),
      ]),
    ],
    finds: [],
  },
  {
    rule: "SEC-02",
    name: "a deleted key",
    plans: [planOf([changeOf("access-key", key, undefined)])],
    finds: [],
  },
  {
    rule: "SEC-02",
    name: "an imported key, whose secret is unknown",
    plans: [planOf([unchanged("access-key", key, { importedId: "key-1" })])],
    finds: [],
  },

  {
    rule: "SEC-03",
    name: "a tag with a secret",
    plans: [
      planOf([
        changeOf(
          "bucket",
          bucket,
          { ...bucket, tags: { api_key: "x" } },
          { unmarkedSecrets: [["tags", "api_key"]] },
        ),
      ]),
    ],
    finds: ["has a value in tags.api_key that looks like a secret"],
  },
  {
    rule: "SEC-03",
    name: "a checksum that the API sets",
    plans: [
      planOf([changeOf("bucket", bucket, { ...bucket, tags: { a: "b" } }, { unmarkedSecrets: [["url"]] })]),
    ],
    finds: [],
  },
  {
    rule: "SEC-03",
    name: "an unchanged object",
    plans: [planOf([unchanged("bucket", bucket, { unmarkedSecrets: [["tags", "api_key"]] })])],
    finds: [],
  },

  {
    rule: "SEC-04",
    name: "a deleted SSH key that an instance names",
    plans: [planOf([changeOf("ssh-key", sshKey, undefined), unchanged("instance", instance)])],
    finds: ['instance "web" names it'],
  },
  {
    rule: "SEC-04",
    name: "a replaced SSH key",
    plans: [planOf([changeOf("ssh-key", sshKey, sshKey, { action: "replace" })])],
    finds: ["is replaced; existing machines keep the old key."],
  },
  {
    rule: "SEC-04",
    name: "a new SSH key",
    plans: [planOf([changeOf("ssh-key", undefined, sshKey)])],
    finds: [],
  },
  {
    rule: "SEC-04",
    name: "a forgotten SSH key",
    plans: [planOf([changeOf("ssh-key", sshKey, undefined, { action: "forget" })])],
    finds: [],
  },

  {
    rule: "SEC-05",
    name: "a pod that loses its encryption",
    plans: [planOf([changeOf("ai-pod", pod, { ...pod, encryptVolume: false })])],
    finds: ["is recreated without encryption"],
  },
  {
    rule: "SEC-05",
    name: "a new pod without encryption",
    plans: [planOf([changeOf("ai-pod", undefined, { name: "train", encryptVolume: false })])],
    finds: [{ severity: "low", text: "is created with encrypt_volume off" }],
  },
  {
    rule: "SEC-05",
    name: "a new pod with encryption",
    plans: [planOf([changeOf("ai-pod", undefined, pod)])],
    finds: [],
  },
  {
    rule: "SEC-05",
    name: "a new pod whose encryption is known only after the apply",
    plans: [planOf([changeOf("ai-pod", undefined, { ...pod, encryptVolume: UNKNOWN })])],
    finds: [{ severity: "low", confidence: "likely", text: "encrypt_volume is known only after the apply" }],
  },
  { rule: "SEC-05", name: "a deleted pod", plans: [planOf([changeOf("ai-pod", pod, undefined)])], finds: [] },

  {
    rule: "SEC-06",
    name: "a policy that changes",
    plans: [planOf([changeOf("bucket-policy", policy, { ...policy, readOnlyIps: ["10.0.0.2"] })])],
    finds: ["changes: "],
  },
  {
    rule: "SEC-06",
    name: "a new policy",
    plans: [planOf([changeOf("bucket-policy", undefined, policy)])],
    finds: ["is created"],
  },
  {
    rule: "SEC-06",
    name: "a deleted policy",
    plans: [planOf([changeOf("bucket-policy", policy, undefined)])],
    finds: ["is deleted"],
  },
  {
    rule: "SEC-06",
    name: "an unchanged policy",
    plans: [planOf([unchanged("bucket-policy", policy)])],
    finds: [],
  },
  {
    rule: "SEC-06",
    name: "a policy with a hidden value that stays",
    plans: [planOf([unchanged("account-policy", { policyKrn: secret("k") })])],
    finds: [],
  },
  ...[
    { hosts: ["0.0.0.0/0"], severity: "high", text: "newly allows 100 % of all public addresses" },
    { hosts: ["0.0.0.0/1", "128.0.0.0/1"], severity: "high", text: "100 %" },
    { hosts: ["16.0.0.0/4"], severity: "medium", text: "of all public addresses" },
    { hosts: ["::/0"], severity: "high", text: "100 %" },
    {
      hosts: UNKNOWN,
      severity: "high",
      confidence: "likely",
      text: "read_only_ips is known only after the apply",
    },
  ].map(({ hosts, ...find }) => ({
    rule: "PUB-03",
    name: `a policy that allows ${Array.isArray(hosts) ? hosts.join(" and ") : "unknown addresses"}`,
    plans: [planOf([changeOf("bucket-policy", hostPolicy, { ...hostPolicy, readOnlyIps: hosts as Value })])],
    finds: [find as { severity: "high"; text: string }],
  })),
  {
    rule: "PUB-03",
    name: "a new policy of a bucket with anonymous access",
    plans: [
      planOf([
        changeOf("bucket-policy", undefined, { ...hostPolicy, readOnlyIps: ["0.0.0.0/0"] }),
        unchanged("bucket", open),
      ]),
    ],
    finds: [{ severity: "critical", text: "and the bucket has anonymous access" }],
  },
  {
    rule: "PUB-03",
    name: "a deleted policy of a bucket that stays",
    plans: [planOf([changeOf("bucket-policy", hostPolicy, undefined), unchanged("bucket", bucket)])],
    finds: [{ confidence: "likely", text: "no policy limits the addresses" }],
  },
  {
    rule: "PUB-03",
    name: "a policy that allows less, or a private network, or is deleted with its bucket",
    plans: [
      planOf([
        changeOf("bucket-policy", { ...hostPolicy, readOnlyIps: ["0.0.0.0/0"] }, hostPolicy),
        changeOf("bucket-policy", undefined, { ...hostPolicy, readWriteIps: ["10.0.0.0/8"] }),
      ]),
      planOf([changeOf("bucket-policy", hostPolicy, undefined), changeOf("bucket", bucket, undefined)]),
    ],
    finds: [],
  },
  {
    rule: "PUB-04",
    name: "objects in a bucket that everyone can read",
    plans: [
      planOf([
        changeOf("object", undefined, { ...content, key: "index.html" }, { name: "index.html" }),
        changeOf("object", undefined, { ...content, key: "backup.tar" }, { name: "backup.tar" }),
        unchanged("bucket", open),
      ]),
    ],
    finds: ["Everyone can read object", { severity: "high", text: "Everyone can read object" }],
  },
  {
    rule: "PUB-04",
    name: "objects in a bucket that no plan shows, once a bucket",
    plans: [
      planOf([
        changeOf("object", undefined, { ...content, bucketId: "krn:other" }),
        changeOf("object", undefined, { ...content, bucketId: "krn:other", key: "b" }),
      ]),
    ],
    finds: [{ confidence: "needs a live check", text: "a bucket that no plan shows" }],
  },
  {
    rule: "PUB-04",
    name: "an object that moves to a bucket which is known only after the apply",
    plans: [
      planOf([changeOf("object", content, { ...content, bucketId: UNKNOWN }), unchanged("bucket", bucket)]),
    ],
    finds: [{ confidence: "likely", text: "bucket_id is known only after the apply" }],
  },
  ...[
    {
      change: { content: UNKNOWN as Value, checksum: UNKNOWN as Value },
      finds: [{ confidence: "likely", text: "Everyone can read" }],
    },
    { change: { key: "b.txt" }, finds: ["Everyone can read"] },
    { change: { contentType: "text/plain" }, finds: [] },
  ].map(({ change, finds }) => ({
    rule: "PUB-04",
    name: `an object in a public bucket with another ${Object.keys(change)[0]}`,
    plans: [planOf([changeOf("object", content, { ...content, ...change }), unchanged("bucket", open)])],
    finds,
  })),
  {
    rule: "PUB-04",
    name: "objects in a private bucket, and in one that becomes public, which PUB-01 covers",
    plans: [
      planOf([changeOf("object", undefined, content), unchanged("bucket", bucket)]),
      planOf([changeOf("object", undefined, content), changeOf("bucket", bucket, open)]),
    ],
    finds: [],
  },
  ...[
    {
      statements: '[{"Effect":"Allow","Action":"*","Resource":"a"}]',
      find: { text: "newly contains the wildcard * in action" },
    },
    {
      statements: '[{"Effect":"Allow","Action":"get","Principal":"*"}]',
      find: { severity: "critical" as const, text: "in principal" },
    },
    {
      statements: UNKNOWN,
      find: { severity: "critical" as const, text: "statements is known only after the apply" },
    },
  ].map(({ statements, find }) => ({
    rule: "SEC-07",
    name: `a policy with ${typeof statements === "string" ? statements : "unknown statements"}`,
    plans: [
      planOf([
        changeOf("account-policy", accountPolicy, { ...accountPolicy, statements: statements as Value }),
      ]),
    ],
    finds: [find],
  })),
  {
    rule: "SEC-07",
    name: "a policy that denies everything, and one that keeps its wildcard",
    plans: [
      planOf([
        changeOf("account-policy", accountPolicy, {
          ...accountPolicy,
          statements: '[{"Effect":"Deny","Action":"*"}]',
        }),
        changeOf(
          "account-policy",
          { ...accountPolicy, statements: '[{"Action":"*"}]' },
          { ...accountPolicy, statements: '[{"Action":"*","Resource":"b"}]' },
        ),
      ]),
    ],
    finds: [],
  },
  {
    rule: "SEC-08",
    name: "an output that contains a sensitive variable, and one that looks like a secret",
    plans: [
      planOf([], {
        sensitive: [secret("canary-5f2a9c")],
        outputs: [
          { name: "shown", action: "create", before: null, after: "x canary-5f2a9c y" },
          { name: "key", action: "create", before: null, after: secret("a"), looksSecret: true },
        ],
      }),
    ],
    finds: [
      "The output shown of plan shows a sensitive value.",
      "The output key of plan shows a sensitive value.",
    ],
  },
  {
    rule: "SEC-08",
    name: "outputs without sensitive values, and a sensitive one",
    plans: [
      planOf([], {
        sensitive: [secret("canary-5f2a9c")],
        outputs: [
          { name: "shown", action: "create", before: null, after: "plain" },
          { name: "hidden", action: "create", before: null, after: secret("canary-5f2a9c") },
          { name: "same", action: "delete", before: "canary-5f2a9c", after: null },
        ],
      }),
    ],
    finds: [],
  },
  {
    rule: "PUB-03",
    name: "a deleted policy whose id is that of its bucket",
    plans: [
      planOf([
        changeOf("bucket-policy", { ...hostPolicy, bucketId: "krn:site" }, undefined, { id: "krn:site" }),
        unchanged("bucket", open, { id: "krn:site" }),
      ]),
    ],
    finds: [{ severity: "critical", confidence: "likely", text: "and the bucket has anonymous access" }],
  },
  {
    rule: "SEC-08",
    name: "an id and a region that have a part of a sensitive id",
    plans: [
      planOf(
        [
          changeOf("object", undefined, {
            ...content,
            bucketId: "krn:kos:In-Bangalore-1:000000000000:bucket:1",
            region: "In-Bangalore-1",
          }),
        ],
        { sensitive: [secret("krn:vpc:In-Bangalore-1:000000000000:port:2")] },
      ),
    ],
    finds: [],
  },
];
