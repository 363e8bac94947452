/** Description of `kcloud doctor`. */
export const doctorCommand = {
  about: "checks settings, address, credentials, region, clock and programs",
  usage: ["doctor [options]"],
  description: `Checks the set-up that an engine would use here: the settings of the environment
and of the profile, whether the API answers, accepts the credentials and knows
the region, the clock, Node, and the engines and plugins that are installed.
Sends reads only, and prints no secret. Ends with 1 if a check fails; each check
that fails has a remedy.`,
  options: {
    json: { type: "boolean", about: "the result as JSON" },
    timeout: { type: "string", value: "SECONDS", about: "limit of each check. Default: 10" },
  },
} as const;
