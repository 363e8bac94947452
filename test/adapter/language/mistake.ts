/** Mistakes in programs, as statements in Python and Go, which checkers of these languages must find. */

export type MistakeKind = "name" | "type" | "closed set" | "output as text" | "nesting";

export interface Mistake {
  readonly kind: MistakeKind;
  readonly python: string;
  readonly go: string;
}

const subnet = 'name="web", cidr="10.0.0.0/24"';
const volume = 'vpc_id=vpc.id, volume_type="ssd"';

const statement = (kind: MistakeKind, python: string, go: string): Mistake => ({ kind, python, go });
const vpcArgs = (fields: string) => `_, _ = kcloud.NewVpc(ctx, "x", &kcloud.VpcArgs{${fields}})`;
const volumeArgs = (fields: string) => `_, _ = kcloud.NewVolume(ctx, "x", &kcloud.VolumeArgs{${fields}})`;

export const mistakes: readonly Mistake[] = [
  statement("name", 'kcloud.Vpc("x", adress="a")', vpcArgs('Adress: pulumi.String("a")')),
  statement("name", 'kcloud.Volum("x")', '_, _ = kcloud.NewVolum(ctx, "x", nil)'),
  statement("name", "vpc.networkname", "_ = vpc.Networkname"),
  statement("name", 'kcloud.get_vpcc(name="x")', "_, _ = kcloud.LookupVpcc(ctx, nil)"),
  statement("type", `kcloud.Volume("x", ${volume}, size_gb="20")`, volumeArgs('SizeGb: pulumi.String("20")')),
  statement(
    "type",
    `kcloud.Volume("x", ${volume}, size_gb=20, metadata=["a"])`,
    volumeArgs("Metadata: pulumi.StringArray{}"),
  ),
  statement("type", 'kcloud.Vpc("x", enabled="yes")', vpcArgs('Enabled: pulumi.String("yes")')),
  statement("type", 'kcloud.Vpc("x", name=4)', vpcArgs("Name: pulumi.Int(4)")),
  statement(
    "closed set",
    'kcloud.TextSentiment("x", text="a", lang_from="english")',
    '_, _ = kcloud.NewTextSentiment(ctx, "x", &kcloud.TextSentimentArgs{LangFrom: pulumi.String("english")})',
  ),
  statement("closed set", 'kcloud.Vpc("x", ip_version=5)', vpcArgs("IpVersion: pulumi.Int(5)")),
  statement("closed set", "kcloud.PowerState.PAUSED", "_ = kcloud.PowerStatePaused"),
  statement(
    "closed set",
    'kcloud.Vpc("x", ip_version=kcloud.PowerState.RUNNING)',
    vpcArgs("IpVersion: kcloud.PowerStateRunning"),
  ),
  statement("output as text", "name: str = vpc.name", "var _ string = vpc.Name"),
  statement("output as text", 'print("VPC " + vpc.name)', '_ = "VPC " + vpc.Name'),
  statement("output as text", "len(vpc.name)", "_ = len(vpc.Name)"),
  statement("output as text", "kcloud.Vpc(vpc.name)", "_, _ = kcloud.NewVpc(ctx, vpc.Name, nil)"),
  statement(
    "nesting",
    'kcloud.Vpc("x", primary_subnet={"name": "web", "cdr": "10.0.0.0/24"})',
    vpcArgs('PrimarySubnet: kcloud.VpcPrimarySubnetArgs{Cdr: pulumi.String("a")}'),
  ),
  statement(
    "nesting",
    'kcloud.Vpc("x", primary_subnet=["web"])',
    vpcArgs('PrimarySubnet: pulumi.StringArray{pulumi.String("web")}'),
  ),
  statement(
    "nesting",
    `kcloud.Vpc("x", primary_subnet=kcloud.VpcPrimarySubnetArgs(${subnet}, egress="yes"))`,
    vpcArgs('PrimarySubnet: kcloud.VpcPrimarySubnetArgs{Egress: pulumi.String("yes")}'),
  ),
  statement(
    "nesting",
    `kcloud.Volume("x", ${volume}, size_gb=20, qos=kcloud.VpcPrimarySubnetArgs(${subnet}))`,
    volumeArgs("Qos: kcloud.VpcPrimarySubnetArgs{}"),
  ),
];
