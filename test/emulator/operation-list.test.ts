import { expect, test } from "@jest/globals";
import { formatOperations, listOperations } from "../../emulator/operation-list.ts";

/** Every route in the contract's sections on infrastructure, copied by hand from its tables. */
const routes: Readonly<Record<string, readonly string[]>> = {
  "2.1": [
    "POST /v1/highlvlvpc/create_vpc_async",
    "POST /v1/highlvlvpc/get_vpc_task_status",
    "POST /v1/highlvlvpc/get_vpc",
    "GET /v1/highlvlvpc/describe_vpc",
    "GET /v1/highlvlvpc/get_vpc_list",
    "GET /v1/highlvlvpc/search_vpc",
    "GET /v2/highlvlvpc/search_vpc",
    "DELETE /v1/highlvlvpc/delete_vpc",
  ],
  "2.2": [
    "POST /v1/highlvlvpc/create_subnet",
    "GET /v1/highlvlvpc/search_subnet",
    "DELETE /v1/highlvlvpc/delete_subnet",
    "GET /v1/highlvlvpc/search_network",
  ],
  "2.3": [
    "POST /v1/highlvlvpc/create_port",
    "GET /v1/highlvlvpc/search_port",
    "PUT /api/v1/ports/{}",
    "GET /v1/highlvlvpc/floating_ip_list",
    "POST /v1/highlvlvpc/attachFloatingIp",
    "DELETE /v1/highlvlvpc/detachFloatingIp/{}",
    "DELETE /v1/highlvlvpc/delete_floating_ip",
  ],
  "3": [
    "POST /securityGroup/v1",
    "GET /securityGroup/v1/{}",
    "DELETE /securityGroup/v1/{}",
    "POST /securityGroup/v1/rule",
    "POST /securityGroup/v1/attachrule",
    "POST /securityGroup/v1/deattachrule",
    "DELETE /securityGroup/v1/rule/{}",
  ],
  "4": ["POST /v2/sshkeys", "GET /v2/sshkeys/{}", "GET /v2/sshkeys/search", "DELETE /v2/sshkeys/{}"],
  "5": [
    "GET /vm/v1/image/{}",
    "POST /vm/v1/instance/createimage/{}",
    "DELETE /vm/v1/image/{}",
    "POST /vm/v1/image/bucket/{}",
    "POST /vm/v1/image/{}",
    "GET /vm/v1/image/disk-formats",
    "GET /api/v1/flavor/compute",
  ],
  "6": [
    "POST /vm/v1/create_instance_async",
    "POST /vm/v1/create_instance",
    "GET /vm/v1/get_instance_task_status",
    "GET /vm/v1/search_instances",
    "GET /v1/highlvlvpc/instance",
    "GET /v1/highlvlvpc/instanceinfo",
    "DELETE /vm/v1/delete_instance_async",
    "DELETE /vm/v1/delete_instance",
    "PUT /vm/v1/instance/{}",
  ],
  "7": [
    "POST /vm/v1/instance-templates/create",
    "GET /vm/v1/instance-templates/list",
    "GET /vm/v1/instance-templates/details",
    "DELETE /vm/v1/instance-templates/delete",
    "POST /vm/v1/batch-vm-create",
  ],
  "8": [
    "POST /kbs/v1/volumes",
    "GET /kbs/v1/volumes/{}",
    "GET /kbs/v1/volumes",
    "DELETE /kbs/v1/volumes/{}",
    "POST /kbs/v1/volumes/{}/action?op=attach",
    "POST /kbs/v1/volumes/{}/action?op=detach",
    "POST /kbs/v1/volumes/{}/action?op=extend",
    "PUT /kbs/v1/volumes/{}",
    "PUT /kbs/v1/volumes/{}/change_type",
    "GET /kbs/v1/volumes/types",
    "POST /kbs/v1/snapshots",
    "GET /kbs/v1/snapshots",
    "GET /kbs/v1/snapshots/{}",
    "PUT /kbs/v1/snapshots/{}",
    "DELETE /kbs/v1/snapshots/{}",
    "POST /kbs/v1/backups",
    "GET /kbs/v1/backups",
    "GET /kbs/v1/backups/{}",
    "DELETE /kbs/v1/backups/{}",
    "POST /kbs/v1/backups/{}/restore",
    "POST /kbs/v1/volumes/{}/snapshots/policy",
    "DELETE /kbs/v1/volumes/{}/snapshots/policy",
    "POST /kbs/v1/volumes/{}/backups/policy",
    "DELETE /kbs/v1/volumes/{}/backups/policy",
  ],
  "10": [
    "POST /v1/kpod/pod",
    "PUT /v1/kpod/pod/{}",
    "DELETE /v1/kpod/pod/{}",
    // In docs/contract.md#17.7 only.
    "GET /v1/kpod/pod/{}",
    "GET /v1/kpod/podtemplate",
    "GET /api/v1/flavor/kpod",
    "GET /v2/kpod/gpuresource",
    "GET /omni/sandbox/v1/template",
  ],
};

test.each(Object.entries(routes))(
  "every route of section %s is implemented, and no other",
  (section, due) => {
    const operations = listOperations().filter((operation) => operation.section === section);
    const requests = operations.map(({ method, path, select }) => {
      const query = select ? `?${new URLSearchParams(select)}` : "";
      return `${method} ${path.replaceAll(/\{\w+\}/g, "{}")}${query}`;
    });
    expect(requests.sort()).toEqual([...due].sort());
    expect(operations.filter(({ built }) => !built)).toEqual([]);
  },
);

test("the table shows section, name, state, source and request of every operation, a line each", () => {
  const lines = formatOperations().split("\n");
  expect(lines).toHaveLength(1 + listOperations().length);
  const words = lines.map((line) => line.split(/ {2,}/));
  expect(words[0]).toEqual(["section", "operation", "state", "source", "request"]);
  expect(words).toContainEqual(["8", "create_snapshot", "built", "client", "POST /kbs/v1/snapshots"]);
  expect(words).toContainEqual([
    "8",
    "attach_volume",
    "built",
    "seed",
    "POST /kbs/v1/volumes/{volume}/action?op=attach",
  ]);
  expect(words).toContainEqual(["10", "get_pod", "built", "assumption", "GET /v1/kpod/pod/{pod}"]);
  expect(words).toContainEqual(["12", "list_checkpoints", "built", "seed", "GET /v1/inference/checkpoints"]);
  expect(words).toContainEqual(["11", "create_user", "501", "client", "POST /iam/v1/user"]);
});
