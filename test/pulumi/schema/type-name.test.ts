import { expect, test } from "@jest/globals";
import { elementName, memberName, nestedName, typeName } from "../../../provider/pulumi/schema/type-name.ts";

test.each([
  ["Volume", "qos", "VolumeQos"],
  ["Volume", "volumeType", "VolumeType"],
  ["InstanceBootVolume", "volumeType", "InstanceBootVolumeType"],
  ["TextLanguage", "language", "TextLanguageLanguage"],
])("the type of %s.%s is %s", (owner, property, name) => {
  expect(nestedName(owner, property)).toBe(name);
});

test.each([
  ["PortFixedIps", "PortFixedIp"],
  ["GetBucketPolicies", "GetBucketPolicy"],
  ["GetInstanceBatches", "GetInstanceBatch"],
  ["Addresses", "Address"],
  ["Data", "Data"],
])("an element of %s is a %s", (list, element) => {
  expect(elementName(list)).toBe(element);
});

test("a set that several resources have is one type, and settings of the provider have no prefix", () => {
  for (const owner of ["Volume", "InstanceBootVolume", "InstanceTemplateBootVolume"])
    expect(typeName(nestedName(owner, "volumeType"))).toBe("VolumeType");
  expect(typeName("ProviderIpVersionForm")).toBe("IpVersionForm");
  expect(typeName("VolumeQos")).toBe("VolumeQos");
});

test.each([
  ["holder-first", "HolderFirst"],
  ["task_type", "TaskType"],
  ["HNSS_Encrypted", "HNSSEncrypted"],
  ["service-translate-v1.0", "ServiceTranslateV1_0"],
  ["CPU", "CPU"],
  [6, "V6"],
])("the value %s is named %s", (value, name) => {
  expect(memberName(value)).toBe(name);
});
