import { hash } from "node:crypto";
import { plainId } from "../../provider/core/krn.ts";
import type { Values } from "../../provider/core/value.ts";
import {
  type Convert,
  common,
  derivedUuid,
  given,
  krnFor,
  krnOf,
  needed,
  numberIn,
  recordIn,
  textIn,
  textsIn,
} from "./row.ts";

/** Rows of storage and accounts. */

export const volume: Convert = (entry) => {
  const { id, values } = entry;
  const { fields, assumed } = needed(`the volume ${id}`, {
    size: [values.sizeGb, 1],
    volumeType: [values.volumeType, "ssd"],
  });
  return {
    assumed,
    rows: [
      {
        ...common("volume", entry, id),
        ...{ vpc: values.vpcId, ...fields },
        ...given({
          availabilityZone: values.availabilityZone,
          description: values.description,
          multiattach: values.multiattach,
          metadata: values.metadata,
          qos: qosOf(values),
          source: values.source,
        }),
      },
    ],
  };
};

/** Returns the limits of a volume with the names of the API. */
function qosOf(values: Values): object | undefined {
  const qos = recordIn(values, "qos");
  if (qos === undefined) return undefined;
  const [bandwidth, iops] = [recordIn(qos, "bandwidth"), recordIn(qos, "iops")];
  return given({
    bandwidth:
      bandwidth &&
      given({ read_bytes_sec: bandwidth.readBytesSec, write_bytes_sec: bandwidth.writeBytesSec }),
    iops: iops && given({ read_iops_sec: iops.readIopsSec, write_iops_sec: iops.writeIopsSec }),
  });
}

export const volumeAttachment: Convert = (entry, owner) => {
  const { values } = entry;
  return {
    rows: [
      {
        ...common("volume_attachment", entry, krnFor(entry, owner, "kbs:attachment")),
        ...{ instance: values.instanceId, volume: values.volumeId },
        device: textIn(values, "device") ?? textIn(values, "mountPartition") ?? "/dev/vdb",
      },
    ],
  };
};

export const bucket: Convert = (entry, owner) => {
  const { values } = entry;
  return {
    rows: [
      {
        ...common("bucket", entry, krnFor(entry, owner, "kos:bucket")),
        ...given({
          description: values.description,
          tags: values.tagsAll ?? values.tags,
          versioning: values.versioning,
          anonymousAccess: values.anonymousAccess,
          tier: values.tier,
        }),
      },
    ],
  };
};

export const bucketPolicy: Convert = (entry, owner) => {
  const { values, region } = entry;
  const bucketId = String(values.bucketId);
  const derived = krnOf(owner, "kos:bucketpolicy", region, derivedUuid(`policy of ${bucketId}`));
  return {
    rows: [
      {
        ...common("bucket_policy", entry, textIn(values, "policyKrn") ?? derived),
        bucket: bucketId,
        readWriteIps: textsIn(values, "readWriteIps"),
        readOnlyIps: textsIn(values, "readOnlyIps"),
      },
    ],
  };
};

export const lifecycleRule: Convert = (entry, owner) => {
  const { values } = entry;
  return {
    rows: [
      {
        ...common("lifecycle_rule", entry, krnFor(entry, owner, "kos:lifecyclerule")),
        bucket: values.bucketId,
        fields: given({
          name: values.name,
          attribute: values.attribute,
          enabled: values.enabled,
          expiration_days: values.expirationDays,
          noncurrent_days: values.noncurrentDays,
          newer_noncurrent_versions: values.newerNoncurrentVersions,
          delete_incomplete_mpu: values.deleteIncompleteMpu,
          expired_obj_delete_marker: values.expiredObjDeleteMarker,
        }),
      },
    ],
  };
};

export const object: Convert = (entry, owner) => {
  const { region, values } = entry;
  const key = String(values.key);
  const etag = textIn(values, "etag")?.replaceAll('"', "");
  const text = textIn(values, "content");
  const isDigest = etag !== undefined && /^[\da-f]{32}$/.test(etag);
  const known = isDigest ? etag : text === undefined ? undefined : hash("md5", text);
  return {
    rows: [
      {
        ...common(
          "object",
          entry,
          krnOf(owner, "kos:object", region, derivedUuid(`${String(values.bucketId)} ${key}`)),
          key,
        ),
        ...{ bucket: values.bucketId, size: numberIn(values, "sizeBytes") ?? Buffer.byteLength(text ?? "") },
        ...{ md5: known ?? hash("md5", key), ...given({ contentType: values.contentType }) },
        ...given({ updatedAt: values.lastModified }),
      },
    ],
    assumed: known === undefined ? [`the digest of the object ${JSON.stringify(key)}`] : [],
  };
};

export const accessKey: Convert = (entry, owner) => {
  const { id, values } = entry;
  return {
    rows: [
      {
        ...common("access_key", entry, krnFor(entry, owner, "kos:accesskey"), id),
        ...given({ keyName: values.name }),
      },
    ],
    assumed: [`the secret of the access key ${JSON.stringify(textIn(values, "name") ?? id)}`],
  };
};

export const accountPolicy: Convert = (entry, owner) => {
  const { values } = entry;
  return {
    rows: [
      {
        ...common("account_policy", entry, krnFor(entry, owner, "iam:policy")),
        ...{ statements: textIn(values, "statements") ?? "[]" },
        ...given({ policyId: values.policyId, conditions: values.conditions }),
      },
    ],
  };
};

export const accountPolicyAttachment: Convert = ({ region, values }, owner) => {
  const policy = String(values.policyId);
  const krn = krnOf(owner, "iam:policyattachment", region, derivedUuid(`attachment of ${policy}`));
  return { rows: [{ kind: "account_policy_attachment", krn, name: plainId(policy), policy }] };
};
