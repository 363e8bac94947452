import { errorText } from "../pulumi/pulumi.ts";
import type { Properties } from "./value.ts";

/** Error in the format of the host, which prints the message as the failure, and `error: stack` before it. */
class HostError extends Error {
  constructor(text: string) {
    super(text);
    this.stack = text.split("\n").slice(1).join("\n");
  }
  override toString(): string {
    return this.message.split("\n", 1).join();
  }
}

/** Error of an object in a partial state: the host stores the properties, and the next run updates the object. */
class ResourceInitFailedError extends HostError {
  readonly id: string;
  readonly properties: Properties;
  readonly reasons: readonly string[];
  constructor(text: string, id: string, properties: Properties) {
    super(text);
    this.id = id;
    this.properties = properties;
    this.reasons = [text];
  }
}

/** Returns an error as one that the host prints. */
export const hostError = (error: unknown): Error =>
  error instanceof HostError ? error : new HostError(errorText(error));

/** Returns the error of an object in a partial state, with the properties to store. */
export const resourceInitFailed = (error: unknown, id: string, properties: Properties): Error =>
  new ResourceInitFailedError(errorText(error), id, properties);
