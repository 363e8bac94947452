/** Options that several fields share. */

/** Option of a field that no response of the API contains. */
export const unreadable = { unreadable: true } as const;

/** Options of a field whose value exists only in the state. */
export const local = { change: "update", unreadable: true, local: true } as const;
