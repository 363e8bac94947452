/** Returns a Terraform address without indices and keys: `module.a.kcloud_vpc.b` for `module.a["x"].kcloud_vpc.b[0]`. */
export const withoutIndices = (address: string): string =>
  address.includes("[") ? address.replace(/\[(?:\d+|"(?:[^"\\]|\\.)*")\]/g, "") : address;
