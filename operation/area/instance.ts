import * as z from "zod/mini";
import { endpoint, json } from "../../provider/definition/endpoint.ts";
import { field } from "../../provider/definition/field.ts";
import type { Inputs } from "../../provider/definition/inference.ts";
import type { Rule } from "../../provider/definition/resource.ts";
import { described } from "../../provider/definition/shape.ts";
import { maybeText, text, wholeNumber } from "../../provider/definition/validator.ts";
import { sentText } from "../../resources/fields/user-data.ts";
import {
  type CreateBody,
  controlInstance,
  deleteInstance,
  getInstance,
  instanceRoutes,
  wire,
} from "../../resources/wire/instance.ts";
import { createBatch } from "../../resources/wire/instance-batch.ts";
import { instanceList } from "../../resources/wire/instance-list.ts";
import { counts } from "../../resources/wire/page.ts";
import { operation, type RequestContext } from "../operation.ts";
import {
  flagOf,
  idOf,
  limit,
  messageFields,
  optionalNumber,
  optionalText,
  page,
  requiredText,
  textList,
  vpcId,
  workFields,
} from "../parameter.ts";

const section = "6";
const instanceKrn = idOf("instance", "ID of the instance.");
const deleteVolume = flagOf("If true, the boot volume is deleted too, with its data.");

const createFields = {
  instanceName: requiredText("Name of the instance."),
  instanceType: requiredText("Name of the instance type, which `listFlavors` of the area `image` lists."),
  vpcId,
  subnetId: idOf("subnet", "ID of the subnet."),
  sshkeyName: requiredText("Name of the SSH key."),
  securityGroups: textList("IDs of the security groups."),
  imageKrn: field(z.optional(text), "ID of the image of a new boot volume.", { references: "image" }),
  volumeName: field(z.optional(text), "Name of a new boot volume."),
  volumeSize: field(z.optional(wholeNumber(1)), "Size of a new boot volume in GB."),
  volumeType: field(z.optional(text), "Storage type of a new boot volume.", {
    known: ["standard", "ssd", "HNSS", "HNSS_Encrypted"],
  }),
  volumes: field(
    z.optional(z.array(text)),
    "ID of an existing boot volume, as a list with one entry, in place of the four values of a new one.",
  ),
  deleteOnTermination: field(
    z.optional(z.boolean()),
    "If true, the boot volume is deleted with the instance. Default: `true` for a new boot volume; an existing one is always kept.",
  ),
  floatingIp: flagOf("If true, the instance gets a public address, which is billed."),
  userData: optionalText("User data for the first start as plain text, such as a `#cloud-config`.", {
    secret: true,
  }),
  tags: field(
    z.optional(
      z.array(
        z.object({
          key: described(z.string(), "Key of the tag."),
          value: described(z.string(), "Value of the tag."),
        }),
      ),
    ),
    "Tags of the instance.",
  ),
  count: field(
    z._default(wholeNumber(1), 1),
    "Number of instances; `batchCreateInstances` is better for several.",
  ),
  portKrn: field(z.optional(text), "ID of the port of the instance. Default: a new port.", {
    references: "port",
  }),
  isGpu: flagOf("If true, the instance type has GPUs."),
  easydeployType: optionalText("Kind of the application that is installed."),
  gatewayPassword: optionalText("Password of the gateway of the application.", { secret: true }),
  modelName: optionalText("Name of the model of the application."),
  modelApiKey: optionalText("API key of the model of the application.", { secret: true }),
};
/** Parameters of one instance. */
const { count: _, ...oneFields } = createFields;
type OneFields = typeof oneFields;

/** Boot volume of an instance: a new one with all its values, or an existing one (docs/contract.md#6). */
const bootVolumes = [["imageKrn", "volumeName", "volumeSize", "volumeType"], ["volumes"]] as const;

/** An existing boot volume is one, and outlives the instance. */
const bootRule: Rule<OneFields> = {
  needs: ["volumes", "deleteOnTermination"],
  check({ volumes, deleteOnTermination }) {
    if (volumes === undefined) return undefined;
    if (volumes.length !== 1) return { path: ["volumes"], problem: "must have exactly one entry" };
    return deleteOnTermination === true
      ? { path: ["deleteOnTermination"], problem: "must be false for an existing boot volume" }
      : undefined;
  },
};

const bodyOf = (inputs: Inputs<OneFields>, context: RequestContext): CreateBody => ({
  instanceName: inputs.instanceName,
  instanceType: inputs.instanceType,
  region: context.region,
  vpc_id: inputs.vpcId,
  subnet_id: inputs.subnetId,
  sshkey_name: inputs.sshkeyName,
  security_groups: inputs.securityGroups,
  image_krn: inputs.imageKrn,
  volume_name: inputs.volumeName,
  volume_size: inputs.volumeSize,
  volumetype: inputs.volumeType,
  volumes: inputs.volumes,
  delete_on_termination: inputs.deleteOnTermination ?? inputs.volumes === undefined,
  floating_ip: inputs.floatingIp,
  user_data: inputs.userData && sentText(context, inputs.userData),
  tags: inputs.tags,
  port_krn: inputs.portKrn,
  isGpu: inputs.isGpu,
  easydeploy_type: inputs.easydeployType,
  gateway_password: inputs.gatewayPassword,
  model_name: inputs.modelName,
  model_api_key: inputs.modelApiKey,
});

const createSync = endpoint(
  "create",
  "POST /vm/v1/create_instance",
  z.object({
    instance_krn: maybeText,
    port_krn: maybeText,
    volume_krn: maybeText,
    floating_ip_krn: maybeText,
    floating_ip_address: maybeText,
    ...workFields,
  }),
  { region: false, body: json<CreateBody & { network_id: string | undefined }>() },
);
const listRunning = endpoint(
  "read",
  "GET /v1/highlvlvpc/instanceinfo",
  z.union([z.object({ instances: z.array(wire), ...counts }), z.array(wire)]),
);
const deleteSync = endpoint("delete", "DELETE /vm/v1/delete_instance");

/** Operations of instances and of batches of them. */
export const instance = {
  createInstance: operation(instanceRoutes.create, {
    section,
    about: "Starts the creation of an instance; `waitUntilActive` returns its ID.",
    parameters: createFields,
    alternatives: bootVolumes,
    rules: [bootRule],
    request: ({ count, ...inputs }, context) => ({ body: { ...bodyOf(inputs, context), count } }),
    also: messageFields,
  }),
  createInstanceSync: operation(createSync, {
    section,
    about:
      "Creates an instance by the older route, which can fail with a 504 although the instance is created.",
    regional: true,
    parameters: {
      ...oneFields,
      networkId: field(z.optional(text), "ID of the network, which only this route accepts."),
    },
    alternatives: bootVolumes,
    rules: [bootRule],
    request: ({ networkId, ...inputs }, context) => ({
      body: { ...bodyOf(inputs, context), network_id: networkId },
    }),
  }),
  getInstanceTaskStatus: operation(instanceRoutes.task, {
    section,
    about: "Returns the status of the task that creates or deletes an instance.",
    parameters: { taskId: requiredText("ID of the task.") },
    request: ({ taskId }) => ({ query: { task_id: taskId } }),
    also: { task_id: maybeText },
  }),
  searchInstances: operation(instanceList, {
    section,
    about: "Lists the instances of a VPC, building and failed ones included, in pages.",
    parameters: {
      vpcId,
      page,
      limit,
      krn: optionalText("ID of an instance."),
      name: optionalText("Name of an instance."),
      ipFixed: optionalText("IP address of an instance in its subnet."),
      ipFloating: optionalText("Public IP address of an instance."),
    },
    request: ({ vpcId, ipFixed, ipFloating, ...query }) => ({
      query: { vpc_id: vpcId, ...query, ip_fixed: ipFixed, ip_floating: ipFloating },
    }),
    listing: { rows: ["instances"], page: { number: "page" }, size: "limit" },
  }),
  getInstance: operation(getInstance, {
    section,
    about: "Returns an instance with its network ports.",
    parameters: { instanceKrn },
    request: ({ instanceKrn }) => ({ query: { krn: instanceKrn } }),
  }),
  listRunningInstances: operation(listRunning, {
    section,
    about: "Lists the running instances of a VPC only, in pages.",
    parameters: { vpcId, page, pageSize: optionalNumber("Number of rows of a page.", 1) },
    request: ({ vpcId, page, pageSize }) => ({ query: { vpc_id: vpcId, page, pageSize } }),
    listing: { rows: ["instances"], page: { number: "page" }, size: "pageSize" },
  }),
  deleteInstance: operation(deleteInstance, {
    section,
    about: "Starts the deletion of an instance or, by its task, of one whose creation failed.",
    parameters: {
      instanceKrn: field(z.optional(text), "ID of the instance.", { references: "instance" }),
      taskId: field(
        z.optional(text),
        "ID of the task whose creation failed, in place of the ID of the instance.",
      ),
      deleteVolume,
    },
    alternatives: [["instanceKrn"], ["taskId"]],
    request: ({ instanceKrn, taskId, deleteVolume }) => ({
      query: { instanceKrn, task_id: taskId, deleteVolume },
    }),
    also: { task_id: maybeText, ...messageFields },
  }),
  deleteInstanceSync: operation(deleteSync, {
    section,
    about: "Deletes an instance by the older route.",
    parameters: { instanceKrn, deleteVolume },
    request: (query) => ({ query }),
    also: { task_id: maybeText, ...workFields },
  }),
  controlInstance: operation(controlInstance, {
    section,
    about: "Starts, stops or reboots an instance.",
    parameters: {
      instanceKrn,
      action: field(z.enum(["start", "stop", "reboot"]), "Action on the instance."),
    },
    request: ({ instanceKrn, action }) => ({ path: { instance: instanceKrn }, body: { action } }),
    also: { instance_krn: maybeText, task_id: maybeText, ...workFields },
  }),
  batchCreateInstances: operation(createBatch, {
    section: "7",
    about: "Starts the creation of several instances from a template.",
    parameters: {
      templateKrn: requiredText("ID of the instance template."),
      count: field(wholeNumber(1), "Number of instances."),
      instanceName: requiredText("Start of the names of the instances."),
    },
    request: ({ templateKrn, count, instanceName }) => ({
      body: { template_krn: templateKrn, count, instanceName },
    }),
    also: { batch_source: maybeText, total_count: counts.total_count, ...messageFields },
  }),
};
