/** Variables of this process that an engine in a rehearsal gets: no credential is among them. */
const kept = /^(PATH|LANG|LC_\w+|TZ|SYSTEMROOT|COMSPEC|PATHEXT|TF_VAR_\w+)$/;

/** Returns the environment of an engine with a folder for temporary files, and with more variables. */
export const environmentOf = (
  environment: NodeJS.ProcessEnv,
  temporary: string,
  more: Readonly<Record<string, string>>,
): NodeJS.ProcessEnv => ({
  ...Object.fromEntries(Object.entries(environment).filter(([name]) => kept.test(name))),
  // Files in the home folder of the user have credentials, too.
  ...{ HOME: temporary, USERPROFILE: temporary },
  ...{ TMPDIR: temporary, TEMP: temporary, TMP: temporary },
  ...more,
});
