/** Description of `kcloud doctor`. */
export const doctorCommand = {
  about: "checks settings, address, credentials, region, clock and programs",
  usage: ["doctor [options]"],
  description: `Checks the setup that an engine would use here: the settings of the environment
and the profile, the address, the clock, the credentials and the region, Node,
and the installed engines and plugins. Sends only read requests, and prints no
secret. Each failed check has a remedy. Exit code: 1 if a check fails, else 0.`,
  options: {
    json: { type: "boolean", about: "prints the result as JSON" },
    timeout: { type: "string", value: "SECONDS", about: "timeout of each check in seconds. Default: 10" },
  },
} as const;
