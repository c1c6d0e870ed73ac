const MICROS_PER_DOLLAR = 1_000_000;

/** What each user message in a widget conversation costs: 0.01 USD. */
export const MESSAGE_PRICE_MICROS = 10_000;

/** Dollars for a response. Money is never added up in this form. */
export function dollarsOf(micros: number): number {
  return micros / MICROS_PER_DOLLAR;
}

/** Dollars of a request, rounded to the micro-dollar. */
export function microsOf(dollars: number): number {
  return Math.round(dollars * MICROS_PER_DOLLAR);
}
