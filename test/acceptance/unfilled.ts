/**
 * Attributes that an import does not fill although an answer of the API holds their values, or their values do not change, by
 * kind. These are defects of the provider: an entry is removed together with its repair.
 */
export const unfilled: Readonly<Record<string, readonly string[]>> = {
  // An unused port to which an address was moved looks like the port on which the address is reserved.
  "floating-ip": ["port_id", "held_by", "instance_name", "subnet_name"],
  // The content, which no answer holds, is recorded as a change, so that the plan expects other values of these attributes.
  object: ["etag", "last_modified", "size_bytes", "storage_class"],
};
