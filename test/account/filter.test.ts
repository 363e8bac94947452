import { expect, test } from "@jest/globals";
import {
  asOptions,
  everything,
  isNarrow,
  selectsName,
  selectsTags,
  selectsVpc,
  vpcFieldOf,
} from "../../account/filter.ts";
import { resource } from "../support/cloud.ts";

const kinds = new Set(["volume", "instance"]);
const selects = (filter: object, kind: string, name: string) =>
  selectsName({ ...everything, ...filter }, { kind, name }, kinds);

test.each([
  [{}, "volume", "data", true],
  [{ kinds: ["volume"] }, "volume", "data", true],
  [{ kinds: ["volume"] }, "instance", "data", false],
  [{ names: ["data-*"] }, "volume", "data-1", true],
  [{ names: ["data-*"] }, "volume", "my-data-1", false],
  [{ names: ["a.c"] }, "volume", "abc", false],
  [{ names: ["web", "data"] }, "volume", "data", true],
  [{ names: ["volume/d*"] }, "instance", "data", false],
  [{ names: ["volume/d*"] }, "volume", "data", true],
  [{ names: ["logs/*"] }, "volume", "logs/today", true],
  [{ excluded: ["tmp*"] }, "volume", "tmp-1", false],
  [{ excluded: ["instance/tmp*"] }, "volume", "tmp-1", true],
  [{ names: ["e\u0301t\u00e9"] }, "volume", "\u00e9te\u0301", true],
])("the filter %j selects the %s %j: %j", (filter, kind, name, isSelected) => {
  expect(selects(filter, kind, name)).toBe(isSelected);
});

test("an object needs all tags of the filter, as tags or as labels", () => {
  const values = { tags: { stage: "live" }, metadata: { team: "a=b" } };
  const has = (...tags: string[]) => selectsTags({ ...everything, tags }, values);
  expect([
    has(),
    has("stage"),
    has("stage=live", "team=a=b"),
    has("stage=test"),
    has("stage", "owner"),
  ]).toEqual([true, true, true, false, false]);
});

test("a VPC is selected by its name or by its ID in any spelling", () => {
  const uuid = "5070ef53-16af-4bc0-8bc5-93a7dbfd69f0";
  const vpc = { id: `krn:vpc:In-Bangalore-1:a:b:vpc:${uuid}`, name: "shop" };
  const selectsBy = (text: string) => selectsVpc({ ...everything, vpcs: [text] }, vpc);
  expect([selectsBy("shop"), selectsBy(vpc.id), selectsBy(uuid), selectsBy("lab")]).toEqual([
    true,
    true,
    true,
    false,
  ]);
  expect([vpcFieldOf(resource("volume")), vpcFieldOf(resource("bucket"))]).toEqual(["vpcId", undefined]);
});

test("a filter is written as the options of the command, quoted for a shell", () => {
  const filter = {
    vpcs: ["my shop"],
    kinds: ["volume"],
    names: ["a*"],
    tags: ["stage=live"],
    excluded: ["it's"],
  };
  expect(asOptions(filter)).toBe(
    "--vpc 'my shop' --kind volume --name 'a*' --tag 'stage=live' --exclude 'it'\\''s'",
  );
  expect([filter, everything].map(isNarrow)).toEqual([true, false]);
});
