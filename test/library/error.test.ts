import { expect, test } from "@jest/globals";
import * as entry from "../../library/client.ts";
import { mayHaveBeenExecuted, withStrings } from "../../library/error.ts";
import { CloudError, FailedError, type Failure, InputError } from "../../provider/core/error.ts";
import { attribute, wording } from "../../provider/core/wording.ts";
import { openClientCloud } from "./client-cloud.ts";

const cloudError = (failure: Failure, mayHaveExecuted = false) =>
  new CloudError({
    ...{ failure, mayHaveExecuted, route: "POST /v1/things" },
    reason: wording`wrong: ${attribute("sizeGb")}`,
    remedies: ["run-again"],
  });

test.each<[Failure, boolean, boolean]>([
  ["unsent", false, false],
  ["rejected", false, false],
  ["rejected", true, true],
  ["auth", false, false],
  ["throttled", false, false],
  ["throttled", true, true],
  ["conflict", false, false],
  ["ambiguous", false, true],
  ["unreadable", false, true],
])("a failure of the kind %s (%s) may have been executed: %s", (failure, marked, expected) => {
  expect(mayHaveBeenExecuted(cloudError(failure, marked))).toBe(expected);
  expect(mayHaveBeenExecuted(new FailedError("the volume has failed"))).toBe(false);
});

test("texts of an error are strings, and facts of engines are left out, for every kind of a result", async () => {
  const failing = () => {
    throw cloudError("rejected");
  };
  const stream = async function* () {
    yield 1;
    failing();
  };
  const caught: unknown[] = [];
  try {
    withStrings(failing);
  } catch (error) {
    caught.push(error);
  }
  await withStrings(async () => failing()).catch((error) => caught.push(error));
  const parts: number[] = [];
  try {
    for await (const part of withStrings(stream)) parts.push(part);
  } catch (error) {
    caught.push(error);
  }
  expect([caught.length, parts]).toEqual([3, [1]]);
  for (const error of caught) {
    expect(error).toBeInstanceOf(entry.CloudError);
    expect(error).toMatchObject({ name: "CloudError", reason: "wrong: sizeGb", failure: "rejected" });
    expect(Object.keys(error as object)).not.toContain("text");
    expect(Object.keys(error as object)).not.toContain("remedies");
  }
});

test("problems have a path and a string", () => {
  const problem = {
    path: ["sizeGb"],
    title: "T",
    problem: wording`set ${attribute("sizeGb")}`,
    remedies: [],
  };
  let caught: unknown;
  try {
    withStrings(() => {
      throw new InputError([problem]);
    });
  } catch (error) {
    caught = error;
  }
  expect(caught).toMatchObject({ message: "sizeGb: set sizeGb" });
  expect((caught as entry.InputError).problems).toEqual([{ path: ["sizeGb"], problem: "set sizeGb" }]);
});

test("another error is thrown as it is, and a listing sends nothing before it is used", async () => {
  const reason = new Error("over");
  expect(() =>
    withStrings(() => {
      throw reason;
    }),
  ).toThrow(reason);
  expect(withStrings(() => 7)).toBe(7);
  const { cloud, client, run } = openClientCloud();
  const listed = client.vpc.getVpcList({ region: "not a region" });
  expect(cloud.emulator.log.count()).toBe(0);
  await expect(run(listed)).rejects.toMatchObject({ problems: [{ problem: expect.any(String) }] });
  const rows = client.vpc.getVpcList({ region: "not a region" });
  await expect(run(rows[Symbol.asyncIterator]().next())).rejects.toMatchObject({
    problems: [{ problem: expect.any(String) }],
  });
});

test("the classes have the names of their exports, and settings have problems with strings", () => {
  const { CloudError, ConfigError, FailedError, InputError, PasswordError, SignInError, StopError } = entry;
  const classes = [CloudError, ConfigError, FailedError, InputError, PasswordError, SignInError, StopError];
  expect(classes.map(({ name }) => name)).toEqual(
    Object.keys({ CloudError, ConfigError, FailedError, InputError, PasswordError, SignInError, StopError }),
  );
  let caught: unknown;
  try {
    entry.createClient({ baseUrl: "cloud.example", apiKey: "key", region: "In-Bangalore-1" });
  } catch (error) {
    caught = error;
  }
  expect(caught).toBeInstanceOf(ConfigError);
  expect(caught).toMatchObject({
    name: "ConfigError",
    problems: [{ path: ["baseUrl"], problem: expect.any(String) }],
  });
});

test("a waiter and a transfer of a closed client throw, as its calls do", async () => {
  const { client, run } = openClientCloud();
  await run(client.close());
  const volume = { vpcId: "v", volumeId: "w" };
  for (const call of [
    () => client.vpc.getVpcList(),
    () => client.volume.waitUntilAvailable(volume),
    () => client.object.download({ bucketId: "b", key: "k" }),
  ])
    expect(call).toThrow("the client is closed");
});
