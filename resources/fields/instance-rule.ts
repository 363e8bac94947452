/**
 * Rules over several fields of an instance. Each returns the path and the problem; undefined if the fields are valid.
 */

/** Requires either a new boot volume or an existing one (docs/contract.md#6). */
export function oneBoot({ bootVolume, volumeId }: { bootVolume?: unknown; volumeId?: unknown }) {
  if (bootVolume === undefined && volumeId === undefined)
    return { path: ["bootVolume"], problem: "is required where no existing volume is given" };
  return bootVolume !== undefined && volumeId !== undefined
    ? { path: ["volumeId"], problem: "cannot stand beside a new boot volume: it boots from one of both" }
    : undefined;
}

/** Rejects deleting an existing boot volume with its instance (docs/contract.md#6). */
export const existingStays = (given: { volumeId?: unknown; deleteOnTermination?: unknown }) =>
  given.volumeId !== undefined && given.deleteOnTermination === true
    ? { path: ["deleteOnTermination"], problem: "must be false with an existing volume, which stays" }
    : undefined;

/** Rejects user data in both forms. */
export const oneUserData = (given: { userData?: unknown; userDataBase64?: unknown }) =>
  given.userData !== undefined && given.userDataBase64 !== undefined
    ? { path: ["userDataBase64"], problem: "cannot stand beside plain user data: give one of both" }
    : undefined;

/**
 * Returns true if the boot volume is deleted with the instance. Default: only a volume that was created with the
 * instance is deleted. After an import this is unknown, and the volume is kept.
 */
export const diesWithIt = (given: {
  deleteOnTermination?: boolean | undefined;
  bootVolume?: object | undefined;
}) => given.deleteOnTermination ?? given.bootVolume !== undefined;
