/**
 * - `ringing`: people are asked
 * - `accepted`: one has accepted, and the process of the call gives them the customer
 * - `held`: they have the customer
 * - `ended`: none of them will
 */
export const OFFER_STATUSES = ['ringing', 'accepted', 'held', 'ended'] as const;
export type OfferStatus = (typeof OFFER_STATUSES)[number];

/** What an offer may become. */
export const OFFER_MOVES = {
  ringing: ['accepted', 'ended'],
  accepted: ['held', 'ended'],
  held: ['ended'],
  ended: [],
} as const satisfies Readonly<Record<OfferStatus, readonly OfferStatus[]>>;

/** The states that an offer may leave for this one. */
export function originsOf(to: OfferStatus): OfferStatus[] {
  return OFFER_STATUSES.filter((from) => (OFFER_MOVES[from] as readonly OfferStatus[]).includes(to));
}
