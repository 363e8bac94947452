import { textOf } from "../pulumi/text.ts";
import type { Properties } from "./value.ts";

/** An error as the host of dynamic providers shows it: the message as the failure, and `error: stack` before it. */
class HostError extends Error {
  constructor(text: string) {
    super(text);
    this.stack = text.split("\n").slice(1).join("\n");
  }
  override toString(): string {
    return this.message.split("\n", 1).join();
  }
}

/** An error that leaves an object behind: the host stores it, and updates it in the next run. */
class HalfMadeError extends HostError {
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

export const hostError = (error: unknown): Error =>
  error instanceof HostError ? error : new HostError(textOf(error));

export const halfMade = (error: unknown, id: string, properties: Properties): Error =>
  new HalfMadeError(textOf(error), id, properties);
