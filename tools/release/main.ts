import { parseArgs } from "node:util";
import { platformName, platforms, ReleaseError } from "./platform.ts";
import { release } from "./release.ts";

/** `npm run release -- --out FOLDER [--platform NAME …]`: creates a release for all platforms or for the given ones. */

const usage = "Usage: npm run release -- --out FOLDER [--platform NAME]...";

async function main(args: readonly string[]): Promise<number> {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: { out: { type: "string" }, platform: { type: "string", multiple: true } },
    });
    const { out, platform: names = platforms.map(platformName) } = values;
    const unknown = names.find((name) => !platforms.some((platform) => platformName(platform) === name));
    if (!out || unknown !== undefined) {
      const problem = out ? `there is no platform ${unknown}` : "--out is missing";
      console.error(`${problem}\n${usage}\nPlatforms: ${platforms.map(platformName).join(", ")}`);
      return 2;
    }
    const chosen = platforms.filter((platform) => names.includes(platformName(platform)));
    await release({ out, platforms: chosen, environment: process.env, step: console.log });
    console.log(`${out} is complete`);
    return 0;
  } catch (error) {
    if (error instanceof TypeError && "code" in error) {
      console.error(`${error.message}\n${usage}`);
      return 2;
    }
    if (!(error instanceof ReleaseError)) throw error;
    console.error(error.message);
    return 1;
  }
}

process.exitCode = await main(process.argv.slice(2));
