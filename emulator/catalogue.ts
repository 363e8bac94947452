import { Refusal } from "./wire.ts";

/**
 * The public images, the same in every region; their KRNs bear `default:default` in place of an account (contract 1.4):
 * `krn:vm:<region>:default:default:image:<uuid>`.
 */
export const images: readonly { readonly name: string; readonly uuid: string }[] = [
  { name: "Ubuntu-24.04", uuid: "00000000-0000-4000-8000-000000000101" },
  { name: "Rocky-9", uuid: "00000000-0000-4000-8000-000000000102" },
];

export function imageKrn(region: string, uuid: string): string {
  return `krn:vm:${region}:default:default:image:${uuid}`;
}

/** Refuses an image that the region does not have, with the list of those it has. */
export function requireImage(krn: string, region: string): void {
  const known = images.map(({ uuid }) => imageKrn(region, uuid));
  if (!known.includes(krn)) throw new Refusal(404, `image ${krn} not found; there are ${known.join(", ")}`);
}
