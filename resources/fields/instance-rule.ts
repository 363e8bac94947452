import { attribute, wording } from "../../provider/core/wording.ts";

/**
 * Rules over several fields of an instance. Each returns the path and the problem; undefined if the fields are valid.
 */

/** Requires either a new boot volume or an existing one (docs/contract.md#6). */
export function oneBoot({ bootVolume, volumeId }: { bootVolume?: unknown; volumeId?: unknown }) {
  if (bootVolume === undefined && volumeId === undefined)
    return { path: [], problem: wording`${attribute("bootVolume")} or ${attribute("volumeId")} is required` };
  return bootVolume !== undefined && volumeId !== undefined
    ? {
        path: ["volumeId"],
        problem: wording`conflicts with ${attribute("bootVolume")}: set only one of them`,
      }
    : undefined;
}

/** Rejects deleting an existing boot volume with its instance (docs/contract.md#6). */
export const keepExistingVolume = (inputs: { volumeId?: unknown; deleteOnTermination?: unknown }) =>
  inputs.volumeId !== undefined && inputs.deleteOnTermination === true
    ? {
        path: ["deleteOnTermination"],
        problem: wording`must be false with ${attribute("volumeId")}: an existing volume is kept`,
      }
    : undefined;

/** Rejects user data in both forms. An empty text is none. */
export const oneUserData = ({ userData = "", userDataBase64 = "" }: UserData) =>
  userData !== "" && userDataBase64 !== ""
    ? {
        path: ["userDataBase64"],
        problem: wording`conflicts with ${attribute("userData")}: set only one of them`,
      }
    : undefined;

interface UserData {
  readonly userData?: string | undefined;
  readonly userDataBase64?: string | undefined;
}

/**
 * Returns true if the boot volume is deleted with the instance. Default: only a volume that was created with the
 * instance is deleted. After an import its origin is unknown, and the volume is kept.
 */
export const deletesBootVolume = (inputs: {
  deleteOnTermination?: boolean | undefined;
  bootVolume?: object | undefined;
}) => inputs.deleteOnTermination ?? inputs.bootVolume !== undefined;
