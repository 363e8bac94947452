/**
 * Test files that `npm run prove` runs and `npm cit` leaves out, longest first: the simulation with all its seeds, each
 * planted defect, the suites that run every lifecycle, crash, leak, the full stack, a shared account and the large
 * configuration through the engines, the program of every resource's example, the guides of the review and of teams, and
 * the page of the review in a browser.
 */
export const sweeps: readonly string[] = [
  "test/planted/planted.test.ts",
  "test/adapter/lifecycle/terraform.test.ts",
  "test/adapter/lifecycle/pulumi.test.ts",
  "test/adapter/lifecycle/cdktf.test.ts",
  "test/adapter/example/pulumi-resource.test.ts",
  "test/simulation/simulation.test.ts",
  "test/adapter/scale.test.ts",
  "test/adapter/full-stack/pulumi.test.ts",
  "test/adapter/full-stack/terraform.test.ts",
  "test/adapter/full-stack/cdktf.test.ts",
  "test/adapter/full-stack/refresh.test.ts",
  "test/adapter/crash/terraform.test.ts",
  "test/adapter/crash/pulumi.test.ts",
  "test/adapter/team/terraform.test.ts",
  "test/adapter/team/pulumi.test.ts",
  "test/adapter/shared-account/terraform.test.ts",
  "test/adapter/shared-account/pulumi.test.ts",
  "test/pulumi/interrupt.test.ts",
  "test/adapter/secret-leak/terraform.test.ts",
  "test/adapter/secret-leak/pulumi.test.ts",
  "test/review/guide/guide.test.ts",
  "test/review/page/page.test.ts",
];

/** Test files that draw faults until the time of `npm run prove` is over; they run after the sweeps. */
export const drawnFaults: readonly string[] = [
  "test/adapter/fault/terraform.test.ts",
  "test/adapter/fault/pulumi.test.ts",
];
