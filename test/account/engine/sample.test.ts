import { managers, testAccounts } from "./managed.ts";

/** Two drawn accounts with two engines, from a seed on: by default the time. `sweep.test.ts` has more. */

const { KCLOUD_ACCOUNT_SEED = Math.floor(Date.now() / 1000) % 100_000 } = process.env;
console.log(`KCLOUD_ACCOUNT_SEED=${KCLOUD_ACCOUNT_SEED}`);

testAccounts(Number(KCLOUD_ACCOUNT_SEED), 2, await managers());
