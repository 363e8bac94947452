import { expect, test } from "@jest/globals";
import { accountOf, createAccounts, mostCalls } from "../../mcp/account.ts";
import type { Objects } from "../../mcp/object/object.ts";
import type { Given } from "../../provider/config/config.ts";

const objects = (closed: string[], name: string): Objects => ({
  list: async () => ({ error: name }),
  get: async () => ({ error: name }),
  account: async () => ({ error: name }),
  isAccepted: () => name === "accepted",
  operations: undefined,
  close: async () => void closed.push(name),
});

test("an account is opened once, and again after the problem of a setting", async () => {
  const closed: string[] = [];
  let opened = 0;
  const account = accountOf(async () => {
    opened += 1;
    return opened === 1
      ? { opened: { problem: "no key" }, given: {} }
      : { opened: objects(closed, "a"), given: { apiKey: "k" } };
  });
  expect([await account.objects(), account.secrets()]).toEqual([{ problem: "no key" }, []]);
  await account.objects();
  await account.objects();
  expect([opened, account.secrets()]).toEqual([2, ["k"]]);
  await account.close();
  expect(closed).toEqual(["a"]);
});

test("calls with one key are limited, whatever client sends them", () => {
  const account = accountOf(() => Promise.reject(new Error("opened")));
  const ends = Array.from({ length: mostCalls }, () => account.begin());
  expect([ends.includes(undefined), account.begin()]).toEqual([false, undefined]);
  ends[0]?.();
  expect(account.begin()).toBeDefined();
});

test("an account that no tool used is closed without being opened", async () => {
  const account = accountOf(() => Promise.reject(new Error("opened")));
  await account.close();
});

test("each key has its own account, with the settings of the server and no other credential of it", async () => {
  const closed: string[] = [];
  const givens: Given[] = [];
  const given = {
    ...{ baseUrl: "https://cloud.example", region: "r", apiKey: "own", secretKey: "s", accessKey: "a" },
    ...{ email: "e", password: "p", otpCommand: "c", oneTimePassword: "1" },
  };
  const accounts = createAccounts(given, {
    openObjects: (settings) => {
      givens.push(settings);
      return objects(closed, String(settings.apiKey));
    },
  });
  const [first, second] = [accounts.of("k1"), accounts.of("k2")];
  expect(accounts.of("k1")).toBe(first);
  expect(accounts.digest("k1")).toBe(accounts.digest("k1"));
  expect(accounts.digest("k1")).not.toBe(accounts.digest("k2"));
  expect(accounts.digest("k1")).not.toContain("k1");
  await Promise.all([first.objects(), second.objects()]);
  expect(givens).toEqual(
    ["k1", "k2"].map((apiKey) => ({ baseUrl: "https://cloud.example", region: "r", apiKey })),
  );
  expect(accounts.secrets()).toEqual(["k2", "k1"]);
  for (let index = 0; index < 200; index++) accounts.of(`other-${index}`);
  await Promise.resolve();
  expect(accounts.of("k1")).not.toBe(first);
  const accepted = accounts.of("accepted");
  await accepted.objects();
  for (let index = 0; index < 300; index++) accounts.of(`other-${index}`);
  expect(accounts.of("accepted")).toBe(accepted);
  await accounts.close();
  expect(closed.toSorted()).toEqual(["accepted", "k1", "k2"]);
});
