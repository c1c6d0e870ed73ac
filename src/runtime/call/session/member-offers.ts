import type { OfferRole, UnansweredOffer } from '../../tools/call-controls.js';

export interface RingingOffer {
  readonly role: OfferRole;
  /** What the people read before they decide. */
  readonly briefing: string;
  /** Fires at the end of the call. */
  readonly signal: AbortSignal;
}

/** A person has accepted the call and waits for it. */
export interface AcceptedOffer {
  /**
   * The person has the customer in place of the assistant. To be called once, as soon as the line is free.
   *
   * @returns false when the customer could not be given to them
   */
  connect(): Promise<boolean>;
}

/** Offers a call to the people of its account. */
export interface MemberOffers {
  isAnyAvailable(role: OfferRole): Promise<boolean>;
  /** Returns when a person has accepted, or none will. */
  ring(offer: RingingOffer): Promise<AcceptedOffer | UnansweredOffer>;
}
