import * as z from "zod/mini";
import { endpoint, json } from "../../provider/definition/endpoint.ts";
import { field } from "../../provider/definition/field.ts";
import { described } from "../../provider/definition/shape.ts";
import { cidr, wholeNumber } from "../../provider/definition/validator.ts";
import { operation } from "../operation.ts";
import { optionalText, requiredText, vpcId } from "../parameter.ts";

/** Operations of services beyond the documents, as far as their requests are known (docs/contract.md#15). */

const section = "18";
const noHeader = { region: false } as const;
const openObject = z.record(z.string(), z.unknown());
const rows = z.union([z.array(openObject), openObject]);
const optionalObject = z.optional(openObject);
const read = <const R extends `GET /${string}`, A>(route: R, answer: z.ZodMiniType<A>) =>
  endpoint("read", route, answer, noHeader);

const zoneId = requiredText("ID of the zone.");
const recordId = requiredText("ID of the record.");

/** Operations of DNS zones and records. */
export const dns = {
  createZone: operation(
    endpoint("create", "POST /dns/v1/zone", openObject, {
      ...noHeader,
      body: json<{
        zonename: string;
        type: string;
        vpcid: string | undefined;
        subnetid: string | undefined;
      }>(),
    }),
    {
      section,
      about: "Creates a DNS zone.",
      parameters: {
        zoneName: requiredText("Name of the zone."),
        type: field(z.enum(["private", "public"]), "Kind of the zone."),
        vpcId: optionalText("ID of the VPC of a private zone."),
        subnetId: optionalText("ID of the subnet of a private zone."),
      },
      request: ({ zoneName, type, vpcId, subnetId }) => ({
        body: { zonename: zoneName, type, vpcid: vpcId, subnetid: subnetId },
      }),
    },
  ),
  listZones: operation(read("GET /dns/v1/zones", rows), { section, about: "Lists the DNS zones." }),
  getZone: operation(read("GET /dns/v1/zone/{zone}", openObject), {
    section,
    about: "Returns a DNS zone.",
    parameters: { zoneId },
    request: ({ zoneId }) => ({ path: { zone: zoneId } }),
  }),
  deleteZone: operation(endpoint("delete", "DELETE /dns/v1/zone/{zone}", optionalObject, noHeader), {
    section,
    about: "Deletes a DNS zone.",
    parameters: { zoneId },
    request: ({ zoneId }) => ({ path: { zone: zoneId } }),
  }),
  createRecord: operation(
    endpoint("create", "POST /dns/v1/record", openObject, {
      ...noHeader,
      body: json<{
        krnid: string;
        rname: string;
        type: string;
        ttl: number;
        routing: string | undefined;
        records: readonly { value: string; weight: number }[];
      }>(),
    }),
    {
      section,
      about: "Creates a record of a DNS zone.",
      parameters: {
        zoneId,
        name: requiredText("Name of the record."),
        type: requiredText("Type of the record, such as `A`."),
        ttl: field(wholeNumber(0), "Time in seconds for which the record may be cached."),
        routing: optionalText("Routing policy."),
        records: field(
          z.array(
            z.object({
              value: described(z.string(), "Value of the record."),
              weight: described(wholeNumber(0), "Weight of the value."),
            }),
          ),
          "Values of the record.",
        ),
      },
      request: ({ zoneId, name, type, ttl, routing, records }) => ({
        body: { krnid: zoneId, rname: name, type, ttl, routing, records },
      }),
    },
  ),
  listRecords: operation(read("GET /dns/v1/records/{zone}", rows), {
    section,
    about: "Lists the records of a DNS zone.",
    parameters: { zoneId },
    request: ({ zoneId }) => ({ path: { zone: zoneId } }),
  }),
  deleteRecord: operation(endpoint("delete", "DELETE /dns/v1/record/{record}", optionalObject, noHeader), {
    section,
    about: "Deletes a record of a DNS zone.",
    parameters: { recordId },
    request: ({ recordId }) => ({ path: { record: recordId } }),
  }),
};

const clusterKrn = requiredText("ID of the cluster.");

/** Operations of Kubernetes clusters. */
export const cluster = {
  createCluster: operation(
    endpoint("create", "POST /v1/kks/clusters", openObject, {
      ...noHeader,
      body: json<{
        name: string;
        version: string;
        resourcesVpcConfig: { vpcKrn: string; subnetKrns: string };
        kubernetesNetworkConfig: { podIpv4Cidr: string; serviceIpv4Cidr: string };
      }>(),
    }),
    {
      section,
      about: "Creates a Kubernetes cluster.",
      parameters: {
        name: requiredText("Name of the cluster."),
        version: requiredText("Version of Kubernetes."),
        vpcId,
        subnetKrns: requiredText("IDs of the subnets, as one text."),
        podCidr: field(cidr, "Address range of the pods in CIDR notation."),
        serviceCidr: field(cidr, "Address range of the services in CIDR notation."),
      },
      request: ({ name, version, vpcId, subnetKrns, podCidr, serviceCidr }) => ({
        body: {
          name,
          version,
          resourcesVpcConfig: { vpcKrn: vpcId, subnetKrns },
          kubernetesNetworkConfig: { podIpv4Cidr: podCidr, serviceIpv4Cidr: serviceCidr },
        },
      }),
    },
  ),
  listClusters: operation(read("GET /v1/kks/clusters", rows), { section, about: "Lists the clusters." }),
  getCluster: operation(read("GET /v1/kks/clusters/{cluster}", openObject), {
    section,
    about: "Returns a cluster.",
    parameters: { clusterKrn },
    request: ({ clusterKrn }) => ({ path: { cluster: clusterKrn } }),
  }),
  deleteCluster: operation(
    endpoint("delete", "DELETE /v1/kks/clusters/{cluster}", optionalObject, noHeader),
    {
      section,
      about: "Deletes a cluster.",
      parameters: { clusterKrn },
      request: ({ clusterKrn }) => ({ path: { cluster: clusterKrn } }),
    },
  ),
};

const importCertificate = endpoint("create", "POST /kcm/v1/certs/import", openObject, noHeader);

/** Operations of certificates. */
export const certificate = {
  importCertificate: operation(importCertificate, {
    section,
    about: "Imports a certificate.",
    parameters: {
      vpcId,
      name: requiredText("Name of the certificate."),
      flag: optionalText("Value of the field `flag`, whose meaning is not known."),
      tags: optionalText("Tags of the certificate, whose form is not known."),
    },
    content: "File with the certificate.",
    request: ({ vpcId, name, flag, tags }, { content }) => ({
      headers: { "X-Vpc-Id": vpcId },
      form: {
        fields: { name, ...(flag === undefined ? {} : { flag }), ...(tags === undefined ? {} : { tags }) },
        ...(content === undefined ? {} : { file: { field: "certFile", name, content } }),
      },
    }),
  }),
  listCertificates: operation(read("GET /kcm/v1/certs", rows), {
    section,
    about: "Lists certificates by their ID, or by VPC and kind of the load balancer.",
    parameters: {
      certificateId: optionalText("ID of a certificate."),
      vpcId: optionalText("ID of the VPC."),
      balancerType: optionalText("Kind of the load balancer."),
    },
    request: ({ certificateId, vpcId, balancerType }) => ({
      query: { certId: certificateId, vpcId, lbtype: balancerType },
    }),
  }),
  deleteCertificate: operation(
    endpoint("delete", "DELETE /kcm/v1/certs/{certificate}", optionalObject, noHeader),
    {
      section,
      about: "Deletes a certificate.",
      parameters: { certificateId: requiredText("ID of the certificate.") },
      request: ({ certificateId }) => ({ path: { certificate: certificateId } }),
    },
  ),
};

/** Operations of scaling groups. The requests of the others are not known. */
export const scalingGroup = {
  deleteScalingGroup: operation(
    endpoint("delete", "DELETE /asg/v1/delete_asg/{scaling_group}", optionalObject, noHeader),
    {
      section,
      about: "Deletes a scaling group.",
      parameters: { scalingGroupKrn: requiredText("ID of the scaling group.") },
      request: ({ scalingGroupKrn }) => ({ path: { scaling_group: scalingGroupKrn } }),
    },
  ),
};

const sandboxId = requiredText("ID of the sandbox.");

/** Operations of sandboxes. */
export const sandbox = {
  createSandbox: operation(
    endpoint("create", "POST /omni/sandbox/v1/sandbox", openObject, {
      ...noHeader,
      body: json<{
        sandboxName: string;
        region: string;
        flavorName: string;
        ttlSeconds: number;
        environmentVariables: Readonly<Record<string, string>> | undefined;
      }>(),
    }),
    {
      section,
      about: "Starts the creation of a sandbox.",
      regional: true,
      parameters: {
        sandboxName: field(
          z.string().check(z.minLength(1), z.maxLength(28)),
          "Name of the sandbox, of at most 28 characters.",
        ),
        flavorName: requiredText("Size of the sandbox."),
        ttlSeconds: field(
          wholeNumber(60).check(z.maximum(604_800)),
          "Time in seconds after which the sandbox ends.",
        ),
        environmentVariables: field(
          z.optional(z.record(z.string(), z.string())),
          "Environment variables of the sandbox.",
          { secret: true },
        ),
      },
      request: ({ sandboxName, flavorName, ttlSeconds, environmentVariables }, { region }) => ({
        body: { sandboxName, region, flavorName, ttlSeconds, environmentVariables },
      }),
    },
  ),
  listSandboxes: operation(read("GET /omni/sandbox/v1/sandbox", rows), {
    section,
    about: "Lists the sandboxes.",
  }),
  getSandbox: operation(read("GET /omni/sandbox/v1/sandbox/{sandbox}", openObject), {
    section,
    about: "Returns a sandbox.",
    parameters: { sandboxId },
    request: ({ sandboxId }) => ({ path: { sandbox: sandboxId } }),
  }),
  deleteSandbox: operation(
    endpoint("delete", "DELETE /omni/sandbox/v1/sandbox/{sandbox}", optionalObject, noHeader),
    {
      section,
      about: "Deletes a sandbox.",
      parameters: { sandboxId },
      request: ({ sandboxId }) => ({ path: { sandbox: sandboxId } }),
    },
  ),
};
