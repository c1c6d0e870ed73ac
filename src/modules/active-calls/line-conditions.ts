import { WAITS_FOR_LINE } from '../calls/live/waits-for-line.js';

/** How long an opened web call reserves a line for its browser. */
export const LINE_RESERVED_SECONDS = 10;

/** SQL: the call named `active` waits for its browser, and its reservation is over. */
export const RESERVATION_IS_OVER = "active.stage = 'waiting' AND active.line_until <= now()";

/** SQL: the call named `active` takes a line. */
export const HAS_LINE = `active.stage <> 'evaluating' AND NOT active.without_line AND (${RESERVATION_IS_OVER}) IS NOT TRUE`;

/** SQL: no other call may take the line that the call named `active` has, or is to have next. */
export const CLAIMS_LINE = `((${HAS_LINE}) OR (${WAITS_FOR_LINE}))`;
