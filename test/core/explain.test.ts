import { expect, test } from "@jest/globals";
import { lookups } from "../../functions/index.ts";
import {
  CloudError,
  type Explanation,
  explain,
  FailedError,
  InputError,
  OperationError,
  StopError,
} from "../../provider/core/error.ts";
import type { ResourceState } from "../../provider/core/state.ts";
import type { Values } from "../../provider/core/value.ts";
import { engine } from "../../provider/engine/engine.ts";
import type { Reply } from "../../provider/platform/ports.ts";
import { type Cloud, kept, openCloud, resource } from "../support/cloud.ts";
import { expectGolden } from "../support/golden.ts";

/** Compares the texts of real failures against the emulator with the golden files. */

const key = "emulator-key";
const net = { name: "net" };
const data = (vpcId: string) => ({ vpcId, name: "data", sizeGb: 20, volumeType: "HNSS" });
const volume = resource("volume");

async function explained(work: Promise<unknown>): Promise<Explanation<string>> {
  try {
    await work;
  } catch (error) {
    return explain(error);
  }
  throw new Error("it did not fail");
}

async function withVpc(...args: Parameters<typeof openCloud>) {
  const cloud = openCloud(...args);
  const vpc = await cloud.run(cloud.create("vpc", net));
  return { cloud, vpc, vpcId: String(vpc.id) };
}

async function withVolume(...args: Parameters<typeof openCloud>) {
  const { cloud, vpc, vpcId } = await withVpc(...args);
  const state = await cloud.run(cloud.create("volume", data(vpcId)));
  return { cloud, vpc, vpcId, state };
}

/** Creates a volume with one fault on `create_volume`; returns the explanation of the error. */
async function createWithFault(
  kind: string,
  when: "before" | "after",
  given = {},
): Promise<Explanation<string>> {
  const { cloud, vpcId } = await withVpc({}, { settleSeconds: 5, ...given });
  cloud.emulator.faults.add({ target: "create_volume", kind, when });
  return explained(cloud.run(cloud.create("volume", data(vpcId))));
}

/** Returns a transport wrapper that answers every request with `reply` after `breakDown` was called. */
function breakable(reply: Reply) {
  let broken = false;
  return {
    breakDown: () => {
      broken = true;
    },
    between: {
      wrap: (transport: Parameters<NonNullable<Parameters<typeof openCloud>[2]>["wrap"] & object>[0]) => ({
        send: (...args: Parameters<typeof transport.send>) =>
          broken ? Promise.resolve(reply) : transport.send(...args),
      }),
    },
  };
}

const stopped = (cloud: Cloud, kind: string, written: Values) => {
  const stop = new AbortController();
  const { inputs } = engine.check(resource(kind), written);
  const call = { stop: stop.signal, report: () => stop.abort() };
  return engine.create(cloud.session, resource(kind), inputs, call);
};

const scenarios: Record<string, () => Promise<Explanation<string>>> = {
  "missing provider configuration": () =>
    explained(Promise.resolve().then(() => openCloud({}, { baseUrl: undefined, apiKey: undefined }))),
  "invalid provider configuration": () =>
    explained(
      Promise.resolve().then(() => openCloud({}, { baseUrl: "http://cloud.example", apiKey: "Bearer x" })),
    ),
  "the API cannot be reached": async () => {
    const { breakDown, between } = breakable({
      kind: "unsent",
      reason: "the host api.example refused the connection",
    });
    const cloud = openCloud({}, {}, between);
    breakDown();
    return explained(cloud.run(cloud.create("vpc", net)));
  },
  "the search before a create fails": async () => {
    const cloud = openCloud();
    cloud.emulator.faults.add({ target: "get_vpc_list", kind: "503" });
    return explained(cloud.run(cloud.create("vpc", net)));
  },
  "the API key is rejected": () => createWithFault("401", "before"),
  "a create is rejected": () => createWithFault("422", "before"),
  "a create is throttled until its timeout": () => createWithFault("429", "before"),
  "a create conflicts with an existing object": () => createWithFault("409", "before"),
  "a create has no clear response": () => createWithFault("504", "before"),
  "a create is blocked by a gateway": () => createWithFault("html-403", "before"),
  "the response to a create ends early": async () => {
    const { cloud, vpcId } = await withVpc({}, { settleSeconds: 5 });
    cloud.emulator.configure({ listingLagMs: 60_000 });
    cloud.emulator.faults.add({ target: "create_volume", kind: "cut-length" });
    return explained(cloud.run(cloud.create("volume", data(vpcId))));
  },
  "a create is interrupted during its request": async () => {
    const cloud = openCloud({ latencyMs: 2_000 });
    const stop = new AbortController();
    const { inputs } = engine.check(resource("vpc"), net);
    const work = engine.create(cloud.session, resource("vpc"), inputs, { stop: stop.signal });
    const result = explained(work);
    await cloud.run(cloud.session.ports.clock.sleep(3_000));
    stop.abort();
    return cloud.run(result);
  },
  "a create is interrupted before the object is ready": async () => {
    const { cloud, vpcId } = await withVpc();
    return explained(cloud.run(stopped(cloud, "volume", data(vpcId))));
  },
  "a create is interrupted before its task returns an ID": () => {
    const cloud = openCloud();
    return explained(cloud.run(stopped(cloud, "vpc", net)));
  },
  "a create exceeds its timeout": async () => {
    const { cloud, vpcId } = await withVpc();
    cloud.emulator.configure({ taskMs: 3_600_000 });
    return explained(cloud.run(cloud.create("volume", data(vpcId))));
  },
  "a new object has a failed status": async () => {
    const { cloud, vpcId } = await withVpc();
    return explained(cloud.run(cloud.create("volume", { ...data(vpcId), name: "data-fails" })));
  },
  "the task of a new VPC fails": async () => {
    const cloud = openCloud();
    return explained(cloud.run(cloud.create("vpc", { name: "net-fails" })));
  },
  "the object already exists": async () => {
    const { cloud, vpcId } = await withVolume();
    return explained(cloud.run(cloud.create("volume", data(vpcId))));
  },
  "the object already exists with different values, with adopt_existing": async () => {
    const { cloud, vpcId } = await withVolume({}, { adoptExisting: true });
    return explained(cloud.run(cloud.create("volume", { ...data(vpcId), sizeGb: 30, multiattach: true })));
  },
  "two resources have the same name": async () => {
    const { cloud, vpcId } = await withVpc();
    const create = () => cloud.create("volume", data(vpcId));
    const [, second] = await cloud.run(Promise.allSettled([create(), create()]));
    return explain((second as PromiseRejectedResult).reason);
  },
  "a read fails": async () => {
    const { cloud, state } = await withVolume();
    cloud.emulator.faults.add({ target: "*", kind: "500" });
    return explained(cloud.run(engine.read(cloud.reopen(), volume, state, cloud.call)));
  },
  "a listed object cannot be read": async () => {
    const { cloud, vpc } = await withVpc();
    cloud.emulator.faults.add({ target: "get_vpc", kind: "404" });
    return explained(cloud.run(engine.read(cloud.reopen(), resource("vpc"), vpc, cloud.call)));
  },
  "a volume cannot shrink": async () => {
    const { cloud, vpcId, state } = await withVolume();
    const { inputs } = engine.check(volume, { ...data(vpcId), sizeGb: 10 });
    return explained(cloud.run(engine.update(cloud.session, volume, state, inputs, cloud.call)));
  },
  "an update is rejected": async () => {
    const { cloud, vpcId, state } = await withVolume();
    cloud.emulator.faults.add({ target: "extend_volume", kind: "422" });
    const { inputs } = engine.check(volume, { ...data(vpcId), sizeGb: 30 });
    return explained(cloud.run(engine.update(cloud.session, volume, state, inputs, cloud.call)));
  },
  "an object in use cannot be deleted": async () => {
    const { cloud, vpc } = await withVolume();
    return explained(cloud.run(engine.delete(cloud.session, resource("vpc"), vpc, cloud.call)));
  },
  "a deleted object is still shown": async () => {
    const { cloud, state } = await withVolume();
    cloud.emulator.configure({ taskMs: 3_600_000 });
    return explained(cloud.run(engine.delete(cloud.session, volume, state, cloud.call)));
  },
  "a primary subnet cannot be deleted": async () => {
    const cloud = openCloud();
    const first = { name: "a", cidr: "10.0.0.0/24" };
    const vpc = await cloud.run(cloud.create("vpc", { ...net, primarySubnet: first }));
    const { id } = vpc.values.primarySubnet as Values;
    const text = `${vpc.id},${String(id)}`;
    const state = await cloud.run(engine.import(cloud.session, resource("subnet"), text, cloud.call));
    return explained(cloud.run(engine.delete(cloud.session, resource("subnet"), state, cloud.call)));
  },
  "an import ID does not exist": async () => {
    const cloud = openCloud();
    const id = "krn:vpc:In-Bangalore-1:1:2:vpc:3";
    return explained(cloud.run(engine.import(cloud.session, resource("vpc"), id, cloud.call)));
  },
  "an import ID has the wrong form": () => {
    const cloud = openCloud();
    return explained(cloud.run(engine.import(cloud.session, volume, "a", cloud.call)));
  },
  "a lookup gets a web page": () => {
    const cloud = openCloud();
    cloud.emulator.faults.add({ target: "*", kind: "html-200" });
    return explained(
      cloud.run(engine.lookup(cloud.session, lookups[0] as (typeof lookups)[0], { name: "a" }, cloud.call)),
    );
  },
  "an internal error": () => explained(Promise.reject(new TypeError("Cannot read properties of undefined"))),
};

test("every text of a failure equals the golden file", async () => {
  const texts: string[] = [];
  for (const [title, run] of Object.entries(scenarios)) {
    const { summary, detail } = await run();
    // The number in a request id depends on earlier requests.
    texts.push(`# ${title}\n${summary}\n${detail.replace(/request-\d+/, "request-N")}\n`);
  }
  expectGolden("explain.txt", texts.join("\n"));
});

test("the warnings of a success equal the golden file", async () => {
  const { cloud, vpcId, state } = await withVolume();
  const { inputs } = engine.check(volume, data(vpcId));
  await cloud.run(engine.create(cloud.reopen({ adoptExisting: true }), volume, inputs, cloud.call));
  cloud.emulator.faults.add({ target: "create_volume", kind: "reset", when: "after" });
  await cloud.run(cloud.create("volume", { ...data(vpcId), name: "other" }));
  cloud.emulator.inventory.remove(String(state.id));
  await cloud.run(engine.read(cloud.session, volume, state, cloud.call));
  expectGolden(
    "warnings.txt",
    cloud.warnings.map(({ summary, detail }) => `${summary}\n${detail}\n`).join("\n"),
  );
});

const every = (error: OperationError): string => `${explain(error).summary}\n${explain(error).detail}`;

test("the error of a failure has the state of the object and the remedy, in at most 2 kB", () => {
  const long = new OperationError(
    {
      doing: "creating it",
      step: "x".repeat(5_000),
      existence: { is: "may exist" },
      remedies: ["run-again"],
    },
    new FailedError("y"),
  );
  expect(every(long).length).toBeLessThanOrEqual(2_048);
  expect(every(long)).toMatch(/\nThe object may exist\.\nRun again\.$/);
});

test("an error outside an operation is explained too", () => {
  const cloud = new CloudError({ failure: "rejected", route: "GET /things", reason: "no", status: 400 });
  expect(explain(cloud)).toEqual({
    summary: "A request to the API failed",
    detail: "No. (status 400, GET /things)",
  });
  expect(explain(new StopError("deadline", 5))).toEqual({
    summary: "The timeout of 5 s expired",
    detail: "",
  });
  const input = new InputError([{ path: ["a", "b"], problem: "is wrong" }]);
  expect(explain(input)).toEqual({ summary: "Invalid value for a.b", detail: "a.b: is wrong" });
  expect(explain("thrown text")).toEqual(explain(new Error("with details")));
});

test("no error, warning or log line contains a part of the key, in any form in which the API quotes it", async () => {
  const lines: string[] = [];
  const log = (...line: unknown[]) => lines.push(JSON.stringify(line));
  const echoes = [
    key,
    encodeURIComponent(key),
    Buffer.from(`x:${key}`).toString("base64"),
    JSON.stringify(`"${key}"`),
  ];
  for (const echo of echoes) {
    const { cloud, vpcId } = await withVpc({}, { settleSeconds: 5 }, { log });
    for (const kind of ["401", "422", "409", "500"]) {
      cloud.emulator.faults.clear();
      const body = { message: `${"x".repeat(280)} Bearer ${echo}` };
      cloud.emulator.faults.add({ target: "create_volume", kind, body });
      const { summary, detail } = await explained(cloud.run(cloud.create("volume", data(vpcId))));
      lines.push(summary, detail);
    }
  }
  const defect = new TypeError(`invalid header value: Bearer ${key}`);
  const broken = openCloud({}, {}, { log, wrap: () => ({ send: () => Promise.reject(defect) }) });
  lines.push(JSON.stringify(await explained(broken.run(broken.create("vpc", net)))));
  expect(lines.some((line) => line.includes("internal error"))).toBe(true);
  const leaks = lines.filter((line) => /emulator-key|emulator-k|ZW11bGF0b3|RW11bGF0b3/.test(line));
  expect(leaks).toEqual([]);
});

test("an error has the state that the engine must save, and none if there is no object", async () => {
  const { cloud, vpcId } = await withVpc();
  const fails = cloud.create("volume", { ...data(vpcId), name: "data-fails" }).catch((error) => error);
  const state: ResourceState = kept(await cloud.run(fails));
  expect(Object.keys(state.values).toSorted()).toEqual(Object.keys(volume.fields).toSorted());
});
