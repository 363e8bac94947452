import { execFileSync } from "node:child_process";
import { expect, test } from "@jest/globals";
import { type Entry, type Expression, projectOf } from "../../../account/export/project.ts";
import { pulumiPythonFiles } from "../../../account/export/pulumi-python.ts";
import { resources } from "../../../resources/index.ts";
import { createDraw } from "../../simulation/draw.ts";
import { openAccount, smallStack, textOfFiles } from "../account.ts";
import { blockOf } from "./block.ts";

test("the files of a small account", async () => {
  const { cloud, read } = await openAccount(smallStack);
  const { objects } = await read();
  const project = projectOf(cloud.session, objects);
  expect(textOfFiles(pulumiPythonFiles(project, "kind"))).toBe(`=== Pulumi.yaml
name: account
runtime:
  name: python
  options:
    toolchain: pip
    virtualenv: venv
# Credentials are set in the environment or in a profile.
config:
  kcloud:region:
    value: In-Bangalore-1

=== requirements.txt
pulumi>=3.259.0,<4.0.0
# The file of the release, in the folder of the program.
./pulumi_kcloud-0.1.0-py3-none-any.whl

=== import.json
{
  "resources": [
    {
      "type": "kcloud:index:Vpc",
      "name": "shop",
      "id": "krn:vpc:…:vpc:…"
    },
    {
      "type": "kcloud:index:Port",
      "name": "defaultPort",
      "id": "krn:vpc:…:vpc:…,krn:vpc:…:port:…"
    },
    {
      "type": "kcloud:index:SecurityGroup",
      "name": "staff",
      "id": "krn:vpc:…:vpc:…,krn:sg:…:sg:…"
    },
    {
      "type": "kcloud:index:Volume",
      "name": "data",
      "id": "krn:vpc:…:vpc:…,krn:kbs:…:volume:…"
    }
  ]
}

=== __main__.py
import vpc
import port
import security_group
import security_group_rule
import volume

=== vpc.py
import pulumi
import pulumi_kcloud as kcloud

shop = kcloud.Vpc(
    "shop",
    name="shop",
    primary_subnet={"name": "office", "cidr": "10.0.0.0/24"},
    # The API does not show these values, and a change of one would replace the object.
    opts=pulumi.ResourceOptions(
        ignore_changes=["description", "enabled", "admin_state_up", "ip_version"],
    ),
)

=== port.py
import pulumi_kcloud as kcloud

from vpc import shop

default = kcloud.Port(
    "defaultPort",
    vpc_id=shop.id,
    name="default",
    subnet_id=shop.primary_subnet.id,
)

=== security_group.py
import pulumi_kcloud as kcloud

from vpc import shop

staff = kcloud.SecurityGroup("staff", vpc_id=shop.id, name="staff")

=== security_group_rule.py
# import pulumi_kcloud as kcloud
#
# from security_group import staff
# from vpc import shop

# A comment, since the API does not return all values of the security group rule: direction is required; protocol is required; remoteIpPrefix is required.
# To manage it, fill in the values, remove the comment signs, and import it:
# pulumi import --generate-code=false --protect=false kcloud:index:SecurityGroupRule staffSecurityGroupRule krn:vpc:…:vpc:…,krn:sgr:…:sgr:…
#
# staff_security_group_rule = kcloud.SecurityGroupRule(
#     "staffSecurityGroupRule",
#     vpc_id=shop.id,
#     security_group_id=staff.id,
# )

=== volume.py
import pulumi_kcloud as kcloud

from vpc import shop

data = kcloud.Volume(
    "data",
    vpc_id=shop.id,
    name="data",
    description="first \${line}\\nsecond\\n",
    size_gb=20,
    volume_type=kcloud.VolumeType.SSD,
    metadata={"cost center": "7"},
)
`);
});

/**
 * Prints the arguments of each call in a module, by name, and checks that the module compiles. A value that is no literal is printed
 * as its source.
 */
const script = `
import ast, json, sys
source = sys.stdin.buffer.read().decode("utf-8")
compile(source, "module.py", "exec")
def value(node):
    try:
        return ast.literal_eval(node)
    except ValueError:
        return {"source": ast.unparse(node)}
calls = [node.value for node in ast.parse(source).body if isinstance(node, ast.Assign)]
print(json.dumps([{each.arg: value(each.value) for each in call.keywords} for call in calls]))
`;

/** Returns the arguments of the calls of a module. */
const argumentsIn = (module: string): Record<string, unknown>[] =>
  JSON.parse(execFileSync("python3", ["-c", script], { input: module, encoding: "utf8" }));

const volumeWith = (name: string, inputs: readonly Entry[]) => blockOf("volume", name, { inputs });
const literal = (value: string): Expression => ({ kind: "literal", value });

/** Texts that Python, a formatter or a terminal could read as something else. */
const hostileTexts = [
  ...[
    "",
    '"',
    "'",
    '"""',
    "'''",
    `"'`,
    "\\",
    "\\\\",
    'a\\"b',
    "a\\",
    "a\nb",
    "a\r\nb",
    "\t",
    "\u0000",
    "\u007f",
  ],
  ...["\\N{DASH}", "\\x41", "\\u0041", "\\U0001F600", "\\101", "\u{1f600}", "\u0085", "\u2028", "\u2029"],
  ...[
    "\u202e",
    "\ufeff",
    "\u200b",
    "é",
    "e\u0301",
    "${vpc.id}",
    "{vpc}",
    "%s",
    "%(vpc)s",
    "# x",
    "\f",
    "\u000b",
  ],
  ...[
    '"); import os; os._exit(1); ("',
    "__import__('os').system('true')",
    "f'{1}'",
    `${"long ".repeat(40)}"`,
  ],
];

test("texts and keys are the same texts in Python", () => {
  const draw = createDraw("python texts");
  const parts = [...hostileTexts, "a", "n", "N{", "}", "u", "x", "0", " ", "\\'", "\ud83d\ude00", "中"];
  const drawn = Array.from({ length: 300 }, () =>
    Array.from({ length: draw.int(1, 6) }, () => draw.pick(parts)).join(""),
  );
  const texts = [...hostileTexts, ...drawn];
  const blocks = texts.map((text, index) =>
    volumeWith(`v${index}`, [
      ["name", literal(text)],
      ["metadata", { kind: "map", entries: [[text, literal(text)]] }],
    ]),
  );
  const module = pulumiPythonFiles({ region: undefined, blocks, parts: [] }, "kind").get("volume.py") ?? "";
  expect(argumentsIn(module)).toEqual(texts.map((text) => ({ name: text, metadata: { [text]: text } })));
});

test("a lone surrogate, which no request can contain, is the replacement character", () => {
  const blocks = [volumeWith("v", [["name", literal("a\ud800b\udc00")]])];
  const module = pulumiPythonFiles({ region: undefined, blocks, parts: [] }, "kind").get("volume.py") ?? "";
  expect(argumentsIn(module)).toEqual([{ name: "a\ufffdb\ufffd" }]);
});

test("names of fields are those of Python, keys of a map are unchanged, and a value of a closed set is its member", () => {
  const files = pulumiPythonFiles(
    {
      region: undefined,
      blocks: [
        volumeWith("v", [
          ["sizeGb", { kind: "literal", value: 3 }],
          ["multiattach", { kind: "literal", value: false }],
          ["volumeType", literal("HNSS_Encrypted")],
          ["source", { kind: "group", entries: [["sourceType", literal("a")]] }],
          ["metadata", { kind: "map", entries: [["costCenter", literal("ssd")]] }],
        ]),
        volumeWith("w", [["volumeType", literal("of another version")]]),
      ],
      parts: [],
    },
    "kind",
  );
  expect(argumentsIn(files.get("volume.py") ?? "")).toEqual([
    {
      size_gb: 3,
      multiattach: false,
      volume_type: { source: "kcloud.VolumeType.HNSS_ENCRYPTED" },
      source: { source_type: "a" },
      metadata: { costCenter: "ssd" },
    },
    { volume_type: "of another version" },
  ]);
});

test("no module has the name of a module of Python's library, nor of a package that the program imports", () => {
  const blocks = resources.map(({ name }) => blockOf(name, "a"));
  const modules = [...pulumiPythonFiles({ region: undefined, blocks, parts: [] }, "kind").keys()]
    .filter((file) => file.endsWith(".py") && file !== "__main__.py")
    .map((file) => file.slice(0, -".py".length));
  expect(modules).toHaveLength(resources.length);
  // Python 3.9 has no list of its library.
  const library = 'getattr(sys, "stdlib_module_names", sys.builtin_module_names)';
  const names = `import json, keyword, sys; print(json.dumps([*${library}, *keyword.kwlist]))`;
  const known = JSON.parse(execFileSync("python3", ["-c", names], { encoding: "utf8" })) as string[];
  expect(modules.filter((name) => [...known, "pulumi", "pulumi_kcloud"].includes(name))).toEqual([]);
});
