import process from "node:process";

/**
 * Replaces the JSON schema validator that the library of the tool server would load, a third of its code: the server checks the
 * arguments of its tools itself, and passes its own validator.
 */
export class DefaultJsonSchemaValidator {
  getValidator(): never {
    throw new Error("this program has no validator of JSON schemas");
  }
}

export { process };
