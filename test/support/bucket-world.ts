import type { Given } from "../../provider/config/setting.ts";
import type { ResourceState } from "../../provider/core/state.ts";
import type { Values } from "../../provider/core/value.ts";
import { engine } from "../../provider/engine/engine.ts";
import { openCloud, operationsOn, resource } from "./cloud.ts";

export const bucket = resource("bucket");

/** Opens a cloud with an account id, in which `otp_command` prints a valid one-time password for every delete. */
export function openBuckets(options: Parameters<typeof openCloud>[0] = {}, given: Given = {}) {
  const settings = { accountId: "000000000000", otpCommand: "print one", ...given };
  const cloud = openCloud(options, settings, {
    command: async () => ({ status: 0, output: cloud.emulator.password() }),
  });
  const { inputs, plan, run } = operationsOn(cloud, "bucket");
  /** Reads 6 s later, when earlier listings are no longer shared. */
  const read = async (state: ResourceState, session = cloud.session) => {
    await cloud.run(session.ports.clock.sleep(6_000));
    return run.read(state, session);
  };
  const change = (state: ResourceState, written: Values, session = cloud.session) =>
    cloud.run(engine.update(session, bucket, state, inputs(written), cloud.call));
  return { cloud, make: run.create, read, change, plan, remove: run.remove };
}
