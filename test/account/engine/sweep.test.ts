import { managers, testAccounts } from "./managed.ts";

/** `KCLOUD_ACCOUNTS=24` drawn accounts from the seed `KCLOUD_ACCOUNT_SEED` on, with every engine in turn. */

const { KCLOUD_ACCOUNTS = 24, KCLOUD_ACCOUNT_SEED = 1 } = process.env;

testAccounts(Number(KCLOUD_ACCOUNT_SEED), Number(KCLOUD_ACCOUNTS), await managers());
