export { DiagnosticError } from "./codec/diagnostic.ts";
export { storedState } from "./codec/stored.ts";

/** Terraform adapter for the rest of the package. */
