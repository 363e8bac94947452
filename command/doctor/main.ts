import manifest from "../../package.json" with { type: "json" };
import { cleaned, redactor } from "../../provider/client/client.ts";
import { resolveSettings } from "../../provider/config/config.ts";
import { realPorts } from "../../provider/platform/real-ports.ts";
import { checkPositionals, parseArguments, UsageError } from "../argument.ts";
import { type Machine, thisMachine } from "../install/machine.ts";
import { runCommand } from "../run.ts";
import {
  type ApiContext,
  checkAddress,
  checkCredentials,
  checkRegion,
  longestLimit,
  openDoctorClient,
} from "./api.ts";
import { type Finding, formatFindings, note, ok } from "./finding.ts";
import { doctorCommand } from "./option.ts";
import { checkEngines, checkNode } from "./program.ts";
import { checkGiven, type SettingCheck, secretsOf } from "./setting.ts";

const { version } = manifest;

/** Maximum length of a text in a finding, in characters. */
const longest = 500;

/** Checks the API; skips checks that need a missing setting or an earlier check that failed. */
async function checkApi({ complete, reachable }: SettingCheck, context: ApiContext): Promise<Finding[]> {
  const skipped = (why: string, ...checks: readonly string[]) =>
    checks.map((check) => note(check, `not checked: ${why}`));
  if (reachable === undefined)
    return skipped("the address is missing or invalid", "address", "clock", "credentials", "region");
  const certificates = complete === undefined ? undefined : resolveSettings(complete).certificates;
  const findings = await checkAddress(reachable, certificates, context);
  if (findings.some(({ status, check }) => check === "address" && status === "failed"))
    return [...findings, ...skipped("the address cannot be reached", "clock", "credentials", "region")];
  if (complete === undefined)
    return [...findings, ...skipped("the settings are incomplete", "credentials", "region")];
  const client = openDoctorClient(complete, context);
  const credentials = await checkCredentials(client, context);
  if (credentials.status === "failed")
    return [...findings, credentials, ...skipped("the credentials are not accepted", "region")];
  return [...findings, credentials, await checkRegion(client, context)];
}

/** Runs all checks and redacts secrets of the settings in their texts. */
export async function examine(machine: Machine, limit: number): Promise<Finding[]> {
  const { environment } = machine;
  const settings = checkGiven(environment);
  const programs = { machine, folder: process.cwd(), version, limit };
  const found = await Promise.all([
    checkApi(settings, { ports: realPorts, environment, limit }),
    checkNode(programs),
    checkEngines(programs),
  ]);
  const redact = redactor(secretsOf(settings.complete ?? settings.reachable ?? {}, environment));
  const clean = (text: string) => cleaned(text, redact, longest);
  return [ok("kcloud", version), ...settings.findings, ...found.flat()].map((finding) => ({
    ...finding,
    text: clean(finding.text),
    ...(finding.remedy !== undefined && { remedy: clean(finding.remedy) }),
  }));
}

/** Runs `kcloud doctor`. Returns the exit code: 1 if a check failed. */
export const doctorMain = (args: readonly string[]): Promise<number> =>
  runCommand("doctor", async () => {
    const { values, positionals } = parseArguments(doctorCommand.options, args);
    checkPositionals(positionals, 0);
    const limit = values.timeout ?? "10";
    if (!/^[1-9]\d*$/.test(limit) || Number(limit) > longestLimit)
      throw new UsageError(
        `--timeout must be a whole number from 1 to ${longestLimit}, not ${JSON.stringify(limit)}`,
      );
    const findings = await examine(thisMachine(), Number(limit));
    const isHealthy = findings.every(({ status }) => status !== "failed");
    process.stdout.write(
      values.json
        ? `${JSON.stringify({ version, ok: isHealthy, checks: findings }, undefined, 2)}\n`
        : formatFindings(findings, {
            colour: process.stdout.isTTY && !process.env.NO_COLOR,
            width: process.stdout.isTTY ? Math.max(60, process.stdout.columns) : Number.POSITIVE_INFINITY,
          }),
    );
    return isHealthy ? 0 : 1;
  });
