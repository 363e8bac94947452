/** What the fields of an instance may not be together, each with the place of what is wrong. */

/** It boots from a new volume or from an existing one (docs/contract.md#6). */
export function oneBoot({ bootVolume, volumeId }: { bootVolume?: unknown; volumeId?: unknown }) {
  if (bootVolume === undefined && volumeId === undefined)
    return { path: ["bootVolume"], problem: "is required where no existing volume is given" };
  return bootVolume !== undefined && volumeId !== undefined
    ? { path: ["volumeId"], problem: "cannot stand beside a new boot volume: it boots from one of both" }
    : undefined;
}

/** What it did not make, it does not delete (docs/contract.md#6). */
export const existingStays = (given: { volumeId?: unknown; deleteOnTermination?: unknown }) =>
  given.volumeId !== undefined && given.deleteOnTermination === true
    ? { path: ["deleteOnTermination"], problem: "must be false with an existing volume, which stays" }
    : undefined;

/** User data comes in one form. */
export const oneUserData = (given: { userData?: unknown; userDataBase64?: unknown }) =>
  given.userData !== undefined && given.userDataBase64 !== undefined
    ? { path: ["userDataBase64"], problem: "cannot stand beside plain user data: give one of both" }
    : undefined;

/** What nobody is known to have made with the instance stays: so too after an import, which cannot tell. */
export const diesWithIt = (given: {
  deleteOnTermination?: boolean | undefined;
  bootVolume?: object | undefined;
}) => given.deleteOnTermination ?? given.bootVolume !== undefined;
