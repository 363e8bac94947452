/**
 * Rules over several fields of an instance. Each returns the path and the problem; undefined if the fields are valid.
 */

/** Requires either a new boot volume or an existing one (docs/contract.md#6). */
export function oneBoot({ bootVolume, volumeId }: { bootVolume?: unknown; volumeId?: unknown }) {
  if (bootVolume === undefined && volumeId === undefined)
    return { path: ["bootVolume"], problem: "is required without an existing volume" };
  return bootVolume !== undefined && volumeId !== undefined
    ? { path: ["volumeId"], problem: "conflicts with a new boot volume: set only one of them" }
    : undefined;
}

/** Rejects deleting an existing boot volume with its instance (docs/contract.md#6). */
export const keepExistingVolume = (given: { volumeId?: unknown; deleteOnTermination?: unknown }) =>
  given.volumeId !== undefined && given.deleteOnTermination === true
    ? { path: ["deleteOnTermination"], problem: "must be false with an existing volume, which is kept" }
    : undefined;

/** Rejects user data in both forms. */
export const oneUserData = (given: { userData?: unknown; userDataBase64?: unknown }) =>
  given.userData !== undefined && given.userDataBase64 !== undefined
    ? { path: ["userDataBase64"], problem: "conflicts with plain user data: set only one of them" }
    : undefined;

/**
 * Returns true if the boot volume is deleted with the instance. Default: only a volume that was created with the
 * instance is deleted. After an import its origin is unknown, and the volume is kept.
 */
export const deletesBootVolume = (given: {
  deleteOnTermination?: boolean | undefined;
  bootVolume?: object | undefined;
}) => given.deleteOnTermination ?? given.bootVolume !== undefined;
