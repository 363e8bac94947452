import { ensureEngine } from "../../../tools/engines/engine.ts";
import { pulumiAdapter } from "../../support/engine/pulumi.ts";
import { testSharedAccount } from "./shared-account.ts";

const engine = await ensureEngine("pulumi");

testSharedAccount(pulumiAdapter(engine, "pulumi"));
testSharedAccount(pulumiAdapter(engine, "dynamic"));
