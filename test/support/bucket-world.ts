import type { Given } from "../../provider/config/setting.ts";
import type { ResourceState } from "../../provider/core/state.ts";
import type { Values } from "../../provider/core/value.ts";
import { engine } from "../../provider/engine/engine.ts";
import { openCloud, resource } from "./cloud.ts";

export const bucket = resource("bucket");

/** Opens a cloud with an account id, in which `otp_command` prints a valid one-time password for every delete. */
export function openBuckets(options: Parameters<typeof openCloud>[0] = {}, given: Given = {}) {
  const settings = { accountId: "000000000000", otpCommand: "print one", ...given };
  const cloud = openCloud(options, settings, {
    command: async () => ({ status: 0, output: cloud.emulator.password() }),
  });
  const inputs = (written: Values) => engine.check(bucket, written).inputs;
  const make = (written: Values) => cloud.run(cloud.create("bucket", written));
  /** Reads 6 s later, when earlier listings are no longer shared. */
  const read = async (state: ResourceState, session = cloud.session) => {
    await cloud.run(session.ports.clock.sleep(6_000));
    return cloud.run(engine.read(session, bucket, state, cloud.call));
  };
  const change = (state: ResourceState, written: Values, session = cloud.session) =>
    cloud.run(engine.update(session, bucket, state, inputs(written), cloud.call));
  const plan = (state: ResourceState | undefined, written: Values, session = cloud.session) =>
    engine.plan(bucket, state, inputs(written), session);
  const remove = (state: ResourceState) => cloud.run(engine.delete(cloud.session, bucket, state, cloud.call));
  return { cloud, make, read, change, plan, remove };
}
