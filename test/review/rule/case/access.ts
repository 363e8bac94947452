import { secret, UNKNOWN, type Value } from "../../../../provider/core/value.ts";
import { changeOf, planOf, unchanged } from "../../change-of.ts";
import { casesOf, type RuleCase } from "./case.ts";

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
  ...casesOf("PUB-01", [
    [
      "a bucket that becomes public",
      changeOf("bucket", bucket, open),
      'Everyone can read the objects of bucket "site"',
    ],
    ["a new public bucket", changeOf("bucket", undefined, open), "Everyone can read"],
    [
      "a bucket that the apply may make public",
      changeOf("bucket", bucket, { ...bucket, anonymousAccess: UNKNOWN }),
      { confidence: "likely", text: "Everyone may be able to read" },
    ],
    ["a bucket that stays public", changeOf("bucket", open, { ...open, tags: { a: "b" } }), []],
    ["a public bucket that is replaced", changeOf("bucket", open, { ...open, name: "other" }), []],
    ["a bucket that is no longer public", changeOf("bucket", open, bucket), []],
    ["a new bucket without the flag", changeOf("bucket", undefined, { name: "site" }), []],
    ["a public bucket that is imported", unchanged("bucket", open, { importedId: "site" }), []],
  ]),
  ...casesOf("PUB-02", [
    [
      "a public bucket whose name suggests backups",
      changeOf("bucket", undefined, { ...open, name: "db-backups" }),
      'The name of bucket "db-backups"',
    ],
    ["a public bucket with another name", changeOf("bucket", undefined, open), []],
    [
      "a private bucket whose name suggests backups",
      changeOf("bucket", undefined, { ...bucket, name: "db-backups" }),
      [],
    ],
  ]),
  ...casesOf("SEC-01", [
    [
      "a deleted key",
      changeOf("access-key", key, undefined),
      'Access key "reports" is deleted, and no longer works.',
    ],
    [
      "a key that is replaced",
      changeOf("access-key", key, { ...key, rotateWhenChanged: { at: "2" } }),
      "is replaced, and the old one no longer works",
    ],
    ["a forgotten key, which stays valid", changeOf("access-key", key, undefined, { action: "forget" }), []],
    ["a new key", changeOf("access-key", undefined, key), []],
  ]),
  ...casesOf("SEC-02", [
    [
      "a new key",
      changeOf("access-key", undefined, key),
      'The secret of access key "reports" is stored in the state.',
    ],
    [
      "a new key whose secret is encrypted",
      changeOf("access-key", undefined, { ...key, recipientPublicKey: "-----BEGIN PUBLIC KEY-----" }),
      [],
    ],
    ["a deleted key", changeOf("access-key", key, undefined), []],
    ["an imported key, whose secret is unknown", unchanged("access-key", key, { importedId: "key-1" }), []],
  ]),
  ...casesOf("SEC-03", [
    [
      "a tag with a secret",
      changeOf(
        "bucket",
        bucket,
        { ...bucket, tags: { api_key: "x" } },
        { unmarkedSecrets: [["tags", "api_key"]] },
      ),
      "has a value in tags.api_key that looks like a secret",
    ],
    [
      "a checksum that the API sets",
      changeOf("bucket", bucket, { ...bucket, tags: { a: "b" } }, { unmarkedSecrets: [["url"]] }),
      [],
    ],
    ["an unchanged object", unchanged("bucket", bucket, { unmarkedSecrets: [["tags", "api_key"]] }), []],
  ]),
  ...casesOf("SEC-04", [
    [
      "a deleted SSH key that an instance names",
      [changeOf("ssh-key", sshKey, undefined), unchanged("instance", instance)],
      'instance "web" names it',
    ],
    [
      "a replaced SSH key",
      changeOf("ssh-key", sshKey, sshKey, { action: "replace" }),
      "is replaced; existing machines keep the old key.",
    ],
    ["a new SSH key", changeOf("ssh-key", undefined, sshKey), []],
    ["a forgotten SSH key", changeOf("ssh-key", sshKey, undefined, { action: "forget" }), []],
  ]),
  ...casesOf("SEC-05", [
    [
      "a pod that loses its encryption",
      changeOf("ai-pod", pod, { ...pod, encryptVolume: false }),
      "is recreated without encryption",
    ],
    [
      "a new pod without encryption",
      changeOf("ai-pod", undefined, { name: "train", encryptVolume: false }),
      { severity: "low", text: "is created with encrypt_volume off" },
    ],
    ["a new pod with encryption", changeOf("ai-pod", undefined, pod), []],
    [
      "a new pod whose encryption is known only after the apply",
      changeOf("ai-pod", undefined, { ...pod, encryptVolume: UNKNOWN }),
      { severity: "low", confidence: "likely", text: "encrypt_volume is known only after the apply" },
    ],
    ["a deleted pod", changeOf("ai-pod", pod, undefined), []],
  ]),
  ...casesOf("SEC-06", [
    [
      "a policy that changes",
      changeOf("bucket-policy", policy, { ...policy, readOnlyIps: ["10.0.0.2"] }),
      "changes: ",
    ],
    ["a new policy", changeOf("bucket-policy", undefined, policy), "is created"],
    ["a deleted policy", changeOf("bucket-policy", policy, undefined), "is deleted"],
    ["an unchanged policy", unchanged("bucket-policy", policy), []],
    ["a policy with a hidden value that stays", unchanged("account-policy", { policyKrn: secret("k") }), []],
  ]),
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
  ...casesOf("PUB-03", [
    [
      "a new policy of a bucket with anonymous access",
      [
        changeOf("bucket-policy", undefined, { ...hostPolicy, readOnlyIps: ["0.0.0.0/0"] }),
        unchanged("bucket", open),
      ],
      { severity: "critical", text: "and the bucket has anonymous access" },
    ],
    [
      "a deleted policy of a bucket that stays",
      [changeOf("bucket-policy", hostPolicy, undefined), unchanged("bucket", bucket)],
      { confidence: "likely", text: "no policy limits the addresses" },
    ],
  ]),
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
  ...casesOf("PUB-04", [
    [
      "objects in a bucket that everyone can read",
      [
        changeOf("object", undefined, { ...content, key: "index.html" }, { name: "index.html" }),
        changeOf("object", undefined, { ...content, key: "backup.tar" }, { name: "backup.tar" }),
        unchanged("bucket", open),
      ],
      ["Everyone can read object", { severity: "high", text: "Everyone can read object" }],
    ],
    [
      "objects in a bucket that no plan shows, once a bucket",
      [
        changeOf("object", undefined, { ...content, bucketId: "krn:other" }),
        changeOf("object", undefined, { ...content, bucketId: "krn:other", key: "b" }),
      ],
      { confidence: "needs a live check", text: "a bucket that no plan shows" },
    ],
    [
      "an object that moves to a bucket which is known only after the apply",
      [changeOf("object", content, { ...content, bucketId: UNKNOWN }), unchanged("bucket", bucket)],
      { confidence: "likely", text: "bucket_id is known only after the apply" },
    ],
  ]),
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
  ...casesOf("SEC-07", [
    [
      "a policy that denies everything, and one that keeps its wildcard",
      [
        changeOf("account-policy", accountPolicy, {
          ...accountPolicy,
          statements: '[{"Effect":"Deny","Action":"*"}]',
        }),
        changeOf(
          "account-policy",
          { ...accountPolicy, statements: '[{"Action":"*"}]' },
          { ...accountPolicy, statements: '[{"Action":"*","Resource":"b"}]' },
        ),
      ],
      [],
    ],
  ]),
  ...casesOf("SEC-08", [
    [
      "an output that contains a sensitive variable, and one that looks like a secret",
      planOf([], {
        sensitive: [secret("canary-5f2a9c")],
        outputs: [
          { name: "shown", action: "create", before: null, after: "x canary-5f2a9c y" },
          { name: "key", action: "create", before: null, after: secret("a"), looksSecret: true },
        ],
      }),
      [
        "The output shown of plan shows a sensitive value.",
        "The output key of plan shows a sensitive value.",
      ],
    ],
    [
      "outputs without sensitive values, and a sensitive one",
      planOf([], {
        sensitive: [secret("canary-5f2a9c")],
        outputs: [
          { name: "shown", action: "create", before: null, after: "plain" },
          { name: "hidden", action: "create", before: null, after: secret("canary-5f2a9c") },
          { name: "same", action: "delete", before: "canary-5f2a9c", after: null },
        ],
      }),
      [],
    ],
  ]),
  ...casesOf("PUB-03", [
    [
      "a deleted policy whose id is that of its bucket",
      [
        changeOf("bucket-policy", { ...hostPolicy, bucketId: "krn:site" }, undefined, { id: "krn:site" }),
        unchanged("bucket", open, { id: "krn:site" }),
      ],
      { severity: "critical", confidence: "likely", text: "and the bucket has anonymous access" },
    ],
  ]),
  ...casesOf("SEC-08", [
    [
      "an id and a region that have a part of a sensitive id",
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
      [],
    ],
  ]),
];
