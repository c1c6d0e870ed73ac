/**
 * SQL: the moment a statement decides by, from a parameter that tests may fill in. Null means the database's own time,
 * which all processes share: a wrong clock in one of them delays no calls.
 */
export const moment = (parameter: string) => `coalesce(${parameter}::timestamptz, now())`;

/** SQL: the day of the week of a local moment, as campaigns name it. */
const weekdayOf = (local: string) =>
  `(ARRAY['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'])[extract(isodow FROM ${local})::int]`;

/** SQL: for how many milliseconds of the day campaign `c` may still call; null in a zone the server does not know. */
export const leftOfWindowMs = (at: string) => `
  (SELECT (extract(epoch FROM c.allowed_hours_end_time - zoned.moment::time) * 1000)::float8
    FROM time_in_zone(${at}::timestamptz, c.timezone) AS zoned (moment))`;

/** SQL: whether campaign `c` may call at the moment `at`, by the calendar and clock of its own zone: never in one the server does not know. */
export const inWindow = (at: string) => `
  coalesce((
    SELECT ${weekdayOf('zoned.moment')} = ANY(c.allowed_days)
      AND zoned.moment::time >= c.allowed_hours_start_time AND zoned.moment::time < c.allowed_hours_end_time
    FROM time_in_zone(${at}::timestamptz, c.timezone) AS zoned (moment)), false)`;

/** SQL: when the hours of campaign `c` begin next after the moment `at`; null in a zone the server does not know. */
export const nextOpening = (at: string) => `
  (SELECT min(opening.moment)
    FROM time_in_zone(${at}::timestamptz, c.timezone) AS zoned (moment),
      LATERAL (SELECT (zoned.moment::date + day + c.allowed_hours_start_time) AT TIME ZONE c.timezone AS moment
        FROM generate_series(0, 7) AS day
        WHERE ${weekdayOf('zoned.moment::date + day')} = ANY(c.allowed_days)) AS opening
    WHERE opening.moment > ${at}::timestamptz)`;
