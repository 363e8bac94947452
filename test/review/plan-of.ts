/** Returns a plan of another provider whose objects change from these values to others. */
export const planOf = (changes: readonly { before: object; after: object; masks?: object }[]): string =>
  JSON.stringify({
    format_version: "1.2",
    planned_values: {},
    resource_changes: changes.map(({ before, after, masks = {} }, at) => ({
      address: `db_user.shop[${at}]`,
      mode: "managed",
      type: "db_user",
      change: {
        actions: ["update"],
        before,
        after,
        before_sensitive: masks,
        after_sensitive: masks,
        after_unknown: {},
      },
    })),
  });
