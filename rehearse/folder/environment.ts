/** Variables of this process that an engine in a rehearsal gets: no credential is among them. */
const kept = /^(PATH|HOME|USERPROFILE|TMPDIR|TEMP|TMP|LANG|LC_\w+|TZ|SYSTEMROOT|COMSPEC|PATHEXT|TF_VAR_\w+)$/;

/** Returns the environment of an engine, with these variables in addition. */
export const environmentOf = (
  environment: NodeJS.ProcessEnv,
  more: Readonly<Record<string, string>>,
): NodeJS.ProcessEnv => ({
  ...Object.fromEntries(Object.entries(environment).filter(([name]) => kept.test(name))),
  ...more,
});
