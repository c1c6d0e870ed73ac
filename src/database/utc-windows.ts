/** SQL of the windows in which usage is counted. They do not depend on the time zone of the database's session. */
export const UTC_DAY = "(now() AT TIME ZONE 'UTC')::date";
export const UTC_HOUR = "date_trunc('hour', now(), 'UTC')";
export const SECONDS_TO_NEXT_DAY =
  "ceil(extract(epoch FROM date_trunc('day', now(), 'UTC') + interval '1 day' - now()))::integer";
export const SECONDS_TO_NEXT_HOUR = `ceil(extract(epoch FROM ${UTC_HOUR} + interval '1 hour' - now()))::integer`;
