/** Group of a definition on the pages of a registry; `provider` for one that belongs to no service of the API. */
export type Category =
  | "network"
  | "compute"
  | "block-storage"
  | "object-storage"
  | "identity"
  | "ai"
  | "provider";
