/** How long an opened web call reserves a line for its browser. */
export const LINE_RESERVED_SECONDS = 10;

/** SQL: the call named `active` waits for its browser, and its reservation is over. */
export const RESERVATION_IS_OVER = "active.stage = 'waiting' AND active.line_until <= now()";

/** SQL: the call named `active` takes a line. */
export const HAS_LINE = `active.stage <> 'evaluating' AND (${RESERVATION_IS_OVER}) IS NOT TRUE`;
