import { AiPod } from "@kcloud/iac/pulumi";

const train = new AiPod("train", {
  templateId: 1, // from the catalogue; or imageKrn
  instanceType: "p1.small",
  sshkeyName: "demo-key",
  volumeDiskSizeGb: 50,
  volumeMountPath: "/workspace",
  exposeHttpPorts: [8888],
  exposeTcpPorts: [22],
  sshAccess: true,
  jupyterNotebook: true,
  powerState: "running", // or "stopped"; unset leaves it unchanged
  restartWhenChanged: { release: "1" },
  environmentVariables: { MODEL_KEY: "an example" },
});

export const pod = train.id;
