import { expect, test } from "@jest/globals";
import { engine } from "../../../provider/engine/engine.ts";
import { openPods, pod } from "../../support/ai-pod-world.ts";
import { live, requests } from "../../support/cloud.ts";

test("a pod is created with only the configured fields, in the spelling of the API", async () => {
  const { cloud, make } = openPods();
  const state = await make({
    containerDiskSizeGb: 20,
    volumeMountPath: "/data",
    exposeHttpPorts: [8888, 6006],
    exposeTcpPorts: [22],
    sshAccess: true,
    environmentVariables: { MODEL: "tiny" },
  });
  expect(requests(cloud, "create_pod").map(({ body }) => body)).toEqual([
    {
      pod_name: "train",
      pod_template_id: 1,
      flavor_name: "p1.small",
      sshkey_name: "demo-key",
      container_disk_size: "20",
      volume_disk_size: "50",
      volume_mount_path: "/data",
      expose_http_ports: "8888,6006",
      expose_tcp_ports: "22",
      has_encrypt_volume: false,
      has_jupyter_notebook: false,
      has_ssh_access: true,
      region: "In-Bangalore-1",
      environment_variables: [{ name: "MODEL", value: "tiny" }],
      category: "aipod",
    },
  ]);
  expect(state.id).toBe(live(cloud, "ai_pod")[0]?.krn);
  expect(state.values).toMatchObject({ name: "train", powerState: "running", exposeHttpPorts: [8888, 6006] });
});

test("a pod is created from an image", async () => {
  const { cloud, make } = openPods();
  const imageKrn = "krn:vm:In-Bangalore-1:default:default:image:00000000-0000-4000-8000-000000000101";
  await make({ templateId: null, imageKrn });
  expect(requests(cloud, "create_pod")[0]?.body).toMatchObject({ imageKrn, environment_variables: [] });
});

test("empty lists of ports close the ports of the template, and the next plan is empty", async () => {
  const { cloud, inputs, make, read } = openPods({ podRead: "pod" });
  const closed = { exposeHttpPorts: [], exposeTcpPorts: [] };
  const state = await make(closed);
  const [sent] = requests(cloud, "create_pod");
  expect(sent?.body).toMatchObject({ expose_http_ports: "", expose_tcp_ports: "" });
  const seen = await read(state, cloud.reopen());
  expect(seen?.values).toMatchObject(closed);
  expect(engine.plan(pod, seen, inputs(closed), cloud.session).action).toBe("none");
});
