/** The years of which PostgreSQL and JavaScript write a date alike. */
const WRITTEN = /^(?!0000)\d{4}-/;

/** Whether a text is a moment as responses write it: ISO 8601 in UTC, to the millisecond. */
export function isWrittenMoment(text: string): boolean {
  const moment = new Date(text);
  return WRITTEN.test(text) && !Number.isNaN(moment.getTime()) && moment.toISOString() === text;
}
