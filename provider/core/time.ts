/** Returns the milliseconds since 1970 of an ISO 8601 time; undefined for any other text. */
export function parseIsoTime(text: string): number | undefined {
  const time = /^\d{4}-\d\d-\d\dT/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(time) ? undefined : time;
}

/** Returns the milliseconds since 1970 of an ISO 8601 time with a zone; undefined for any other text. */
export const parseZonedTime = (text: string): number | undefined =>
  /(?:Z|[+-]\d\d:?\d\d)$/.test(text) ? parseIsoTime(text) : undefined;

const httpDate =
  /^(?:(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d{2} \w{3} \d{4} \d{2}:\d{2}:\d{2} GMT|\w{6,9}, \d{2}-\w{3}-\d{2} \d{2}:\d{2}:\d{2} GMT|\w{3} \w{3} [ \d]\d \d{2}:\d{2}:\d{2} \d{4})$/;

/**
 * Returns the milliseconds since 1970 of a date in one of the three forms of RFC 9110; undefined for any other text.
 */
export function parseHttpDate(text: string): number | undefined {
  // The third form has no time zone and would be parsed as local time, but means GMT like the others.
  const time = httpDate.test(text) ? Date.parse(text.endsWith("GMT") ? text : `${text} GMT`) : Number.NaN;
  return Number.isNaN(time) ? undefined : time;
}
