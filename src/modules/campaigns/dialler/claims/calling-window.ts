/**
 * SQL: the moment a statement decides by, from a parameter that tests may fill in. Null means the database's own time,
 * which all processes share: a clock that is set back in one of them holds up nobody.
 */
export const moment = (parameter: string) => `coalesce(${parameter}::timestamptz, now())`;

/** SQL: for how many milliseconds of the day campaign `c` may still call; null in a zone the server does not know. */
export const leftOfWindowMs = (at: string) => `
  (SELECT (extract(epoch FROM c.allowed_hours_end_time - zoned.moment::time) * 1000)::float8
    FROM time_in_zone(${at}::timestamptz, c.timezone) AS zoned (moment))`;

/** SQL: whether campaign `c` may call at the moment `at`, by the calendar and clock of its own zone: never in one the server does not know. */
export const inWindow = (at: string) => `
  coalesce((
    SELECT (ARRAY['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'])
        [extract(isodow FROM zoned.moment)::int] = ANY(c.allowed_days)
      AND zoned.moment::time >= c.allowed_hours_start_time AND zoned.moment::time < c.allowed_hours_end_time
    FROM time_in_zone(${at}::timestamptz, c.timezone) AS zoned (moment)), false)`;
