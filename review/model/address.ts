/** Returns a Terraform address without indices and keys: `module.a.kcloud_vpc.b` for `module.a["x"].kcloud_vpc.b[0]`. */
export const withoutIndices = (address: string): string =>
  address.includes("[") ? address.replace(/\[(?:\d+|"(?:[^"\\]|\\.)*")\]/g, "") : address;

/** Returns the index or key at the end of a Terraform address, with its brackets; empty if there is none. */
export const instanceIndex = (address: string): string =>
  address.endsWith("]") ? (/\[(?:\d+|"(?:[^"\\]|\\.)*")\]$/.exec(address)?.[0] ?? "") : "";
