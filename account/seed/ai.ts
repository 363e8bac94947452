import { hash } from "node:crypto";
import type { Values } from "../../provider/core/value.ts";
import { type Convert, common, given, isStopped, krnFor, textIn } from "./row.ts";

/** Rows of AI and documents. */

export const aiPod: Convert = (entry, owner) => {
  const { values, region } = entry;
  const krn = krnFor({ ...entry, id: entry.id.replace(/^pod-/, "") }, owner, "kpod:kpod");
  return {
    rows: [
      {
        ...common("ai_pod", entry, krn),
        fields: given({
          pod_name: values.name,
          pod_template_id: values.templateId,
          imageKrn: values.imageKrn,
          flavor_name: values.instanceType,
          sshkey_name: values.sshkeyName,
          container_disk_size: values.containerDiskSizeGb,
          volume_disk_size: values.volumeDiskSizeGb,
          volume_mount_path: values.volumeMountPath,
          expose_http_ports: portsOf(values, "exposeHttpPorts"),
          expose_tcp_ports: portsOf(values, "exposeTcpPorts"),
          has_encrypt_volume: values.encryptVolume,
          has_jupyter_notebook: values.jupyterNotebook,
          has_ssh_access: values.sshAccess,
          region,
        }),
        running: !isStopped(values),
      },
    ],
  };
};

const portsOf = (values: Values, name: string): string => {
  const list = values[name];
  return Array.isArray(list) ? list.join(",") : "";
};

export const inferenceTask: Convert = (entry, owner) => {
  const { values } = entry;
  return {
    rows: [
      {
        ...common("inference_task", entry, krnFor(entry, owner, "inference:task")),
        user: "user",
        fields: given({
          namespace: values.namespace,
          priority: values.priority,
          model: values.model,
          checkpoint: values.checkpoint,
          ngpu: values.ngpu,
        }),
      },
    ],
    assumed: [`the user of the inference task ${JSON.stringify(String(values.name))}`],
  };
};

export const documentJob =
  (action: string): Convert =>
  (entry, owner) => {
    const content = textIn(entry.values, "content") ?? entry.id;
    const md5 = hash("md5", content);
    return {
      rows: [
        {
          ...common("document_job", entry, krnFor(entry, owner, "document:job"), action),
          ...{ action, document: md5, result: { size: 0, md5 } },
        },
      ],
      assumed: [`the result of the document job ${entry.id}`],
    };
  };
