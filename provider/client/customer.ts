/**
 * Id of the customer, which some routes require and no listing returns (docs/contract.md#1.4): configured, or taken
 * from a KRN in a response.
 */
export interface Customer {
  /** Returns the UUID; undefined while it is unknown. */
  id(): string | undefined;
  /** Takes the id from the first KRN of the account in a response, unless the id is known. */
  learn(answer: string): void;
}

// Excludes images, which may belong to another customer; all other objects in responses belong to the account.
const krn = /krn:[^:"]*:[^:"]*:\d+:([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}):(?!image[:/])/i;

/** Creates the customer with the configured id, or without one until a response contains it. */
export function createCustomer(configured: string | undefined): Customer {
  let known = configured;
  return {
    id: () => known,
    learn(answer) {
      known ??= krn.exec(answer)?.[1];
    },
  };
}
