/**
 * The customer that some routes ask for, and that no listing tells (docs/contract.md#1.4): configured, or cut out of a
 * KRN.
 */
export interface Customer {
  /** A UUID; undefined while nothing has told it. */
  id(): string | undefined;
  /** Looks for it in what the cloud answered. */
  learn(answer: string): void;
}

// An image may be another customer's; everything else that is shown is the account's own.
const krn = /krn:[^:"]*:[^:"]*:\d+:([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}):(?!image[:/])/i;

/** What is configured counts; else the first that an answer tells. */
export function createCustomer(configured: string | undefined): Customer {
  let known = configured;
  return {
    id: () => known,
    learn(answer) {
      known ??= krn.exec(answer)?.[1];
    },
  };
}
