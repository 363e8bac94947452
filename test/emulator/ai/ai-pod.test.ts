import { expect } from "@jest/globals";
import { image, region } from "../client.ts";
import { scenario } from "../tour.ts";

const pod = [{ assume: { podRead: "pod" } } as const, "create_ssh_key"] as const;
const form = "must be 1 to 32 letters, digits, _ and -";
const ports = "must be ports from 1 to 65535 with commas between them, as text";
const one = "it or imageKrn is required, not both";
const seed = {
  ...{ pod_name: undefined, flavor_name: undefined, sshkey_name: undefined, volume_disk_size: undefined },
  ...{ region: undefined, pod_template_id: undefined, environment_variables: undefined },
  ...{ expose_http_ports: undefined, expose_tcp_ports: undefined, category: undefined, imageKrn: image },
  ...{ podName: "seed", instanceType: "p1.small", sshKeyName: "ci", volumeSize: "50", x_region: region },
};

scenario("a pod is created, stops, starts and restarts, each with a status of its own, and is deleted", [
  ...pod,
  ["create_pod", {}, { message: "pod creation accepted" }],
  ["get_pod", {}, { status: "creating" }],
  ["update_pod", { action: "stop" }, "409 cannot stop pod trainer: it is creating"],
  1000,
  ["get_pod", {}, { status: "running" }],
  ["update_pod", { action: "start" }, "409 cannot start pod trainer: it is running"],
  ["update_pod", { action: "stop" }, { message: "stop accepted", status: "success" }],
  ["get_pod", {}, { status: "stopping" }],
  ["update_pod", { action: "start" }, "409 cannot start pod trainer: it is stopping"],
  1000,
  ["get_pod", {}, { status: "stopped" }],
  ["update_pod", {}, "409 cannot restart pod trainer: it is stopped"],
  ["update_pod", { action: "stop" }, 200, { repeatedPower: 202 }],
  ["update_pod", { action: "start" }, 200],
  ["get_pod", {}, { status: "starting" }],
  1000,
  ["update_pod", {}, 200],
  ["get_pod", {}, { status: "restarting" }],
  1000,
  ["get_pod", {}, "404 no operation of the contract is GET /v1/kpod/pod/krn:…", { podRead: 404 }],
  ["get_pod", {}, "405 GET is not allowed here; PUT, DELETE is", { podRead: 405 }],
  ["delete_pod", {}, { message: "pod deletion accepted" }],
  ["get_pod", {}, { status: "deleting" }],
  ["delete_pod", {}, "409 trainer is already being deleted"],
  ["delete_pod", {}, 200, { repeatedDelete: 202 }],
  1000,
  ["get_pod", { pod: "{create_pod.pod_id}" }, "404 pod krn:… not found"],
]);

scenario("a pod has parts that exist, and values in their forms", [
  ...pod,
  ["create_pod", { pod_name: "a b" }, `400 pod_name: ${form}`],
  ["create_pod", { pod_name: "a".repeat(33) }, `400 pod_name: ${form}`],
  ["create_pod", { container_disk_size: "20GB" }, "400 container_disk_size: must be a whole number of GB…"],
  ["create_pod", { expose_tcp_ports: "22;80" }, `400 expose_tcp_ports: ${ports}`],
  ["create_pod", { expose_http_ports: "0" }, `400 expose_http_ports: ${ports}`],
  ["create_pod", { expose_tcp_ports: "65536" }, `400 expose_tcp_ports: ${ports}`],
  ["create_pod", { expose_tcp_ports: "1x" }, `400 expose_tcp_ports: ${ports}`],
  ["create_pod", { category: "vm" }, "400 category: must be aipod"],
  ["create_pod", { environment_variables: undefined }, "400 environment_variables: required"],
  ["create_pod", { environment_variables: undefined }, 201, { podNeedsEnvironment: false }],
  ["create_pod", { pod_template_id: undefined }, `400 pod_template_id: ${one}`],
  ["create_pod", { imageKrn: image }, `400 pod_template_id: ${one}`],
  ["create_pod", { imageKrn: "x", pod_template_id: undefined }, "404 image x not found…"],
  ["create_pod", { pod_template_id: 3 }, "404 pod template 3 not found; there are 1, 2"],
  ["create_pod", { flavor_name: "x" }, "404 pod flavor x not found; there are p1.small, p1.large"],
  ["create_pod", { sshkey_name: "" }, "400 sshkey_name: required with has_ssh_access"],
  ["create_pod", { sshkey_name: "x" }, "404 SSH key x not found"],
  ["create_pod", { pod_name: "a-error-400" }, "400 refused because of the name a-error-400"],
  ["create_pod", {}, "409 pod trainer already exists", { equalNames: false }],
  [
    "create_pod",
    { pod_name: "b-fails", sshkey_name: undefined, has_ssh_access: undefined, expose_http_ports: "" },
    201,
  ],
  1000,
  ["get_pod", { pod: "{ai_pod b-fails}" }, { status: "failed", has_ssh_access: false, sshkey_name: "" }],
]);

scenario("a pod takes the values of its template or image, and the field names of the seed document", [
  ...pod,
  [
    "create_pod",
    {
      container_disk_size: undefined,
      volume_mount_path: undefined,
      expose_tcp_ports: undefined,
      pod_template_id: 2,
    },
    201,
  ],
  ["get_pod", {}, { container_disk_size: "40", volume_mount_path: "/models", expose_tcp_ports: "22" }],
  ["get_pod", {}, { volume_disk_size: "50" }],
  ["create_pod", { podName: "other" }, "400 podName: disagrees with pod_name"],
  ["create_pod", seed, 201, { podNeedsEnvironment: false }],
  ["get_pod", { pod: "{ai_pod seed}" }, { pod_name: "seed", imageKrn: image, flavor_name: "p1.small" }],
  ["get_pod", { pod: "{ai_pod seed}" }, { environment_variables: [], expose_http_ports: "" }],
  ["get_pod", { pod: "{ai_pod seed}" }, { category: "aipod" }],
  ["create_pod", {}, { pod_id: expect.stringMatching(/^pod-/) }, { podId: "other" }],
  ["delete_pod", { pod: "{create_pod.pod_id}" }, "404 pod pod-… not found"],
  { assume: { podId: "uuid" } },
  ["create_pod", {}, { pod_id: expect.stringMatching(/^[0-9a-f-]{36}$/) }],
  1000,
  ["update_pod", { pod: "{create_pod.pod_id}" }, 200],
]);
