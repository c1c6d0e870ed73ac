export type AddressRequirement = 'none' | 'local' | 'foreign' | 'inventory';

/** A number that can be rented. */
export interface NumberOffer {
  /** E.164, such as `+12125550100`. */
  readonly e164: string;
  /** ISO 3166-1 alpha-2. */
  readonly countryCode: string;
  /** Where the carrier keeps the number, in the carrier's own words. */
  readonly region: string;
  readonly monthlyPriceMicros: number;
  readonly addressRequirement: AddressRequirement;
  readonly smsCapable: boolean;
}

export interface NumberSearch {
  /** One of the carrier's `countries`. */
  readonly countryCode: string;
  /** A run of digits anywhere in the number, country code included; all digits of a number find that one. */
  readonly contains?: string;
  readonly limit: number;
}

/** A number that is in the carrier's account already, however it came there. */
export interface OwnedNumber {
  /** The carrier's own id of it. */
  readonly id: string;
  readonly e164: string;
  /** What it is called at the carrier. */
  readonly name: string | null;
  readonly smsCapable: boolean;
  /** Its calls are handed to something else at the carrier, which goes before us. */
  readonly isBound: boolean;
}

export interface OwnedSearch {
  /** A run of digits anywhere in the number. */
  readonly contains?: string;
  readonly limit: number;
}

/**
 * Rents numbers. Calls belong to CallCarrier. Every method ends within 60 seconds, with an answer or an error.
 * Another process takes over work that seems to have died after three minutes.
 */
export abstract class NumberCarrier {
  /** ISO 3166-1 alpha-2 codes of the countries whose numbers can be rented. */
  abstract readonly countries: readonly string[];

  /**
   * Numbers on offer, at most `limit`; the same search gives the same order while the offer stays. A carrier with a
   * smaller page of its own gives that many. Numbers already rented may still be listed.
   *
   * @throws CarrierUnavailableError
   */
  abstract searchNumbers(search: NumberSearch): Promise<readonly NumberOffer[]>;

  /**
   * Rents a number. The same key again is the same order: it succeeds and rents nothing twice.
   *
   * @throws NumberNotOfferedError when the carrier surely did not rent it
   * @throws CarrierUnavailableError when that is not known
   */
  abstract buyNumber(e164: string, key: string): Promise<void>;

  /**
   * Gives a number back; one that is not rented is no error. A number that was adopted, not rented by Prosa, stays
   * with the account at the carrier. Its calls no longer come to Prosa.
   *
   * @throws CarrierUnavailableError
   */
  abstract releaseNumber(e164: string): Promise<void>;

  /**
   * Numbers of the account that can be called, at most `limit`, those rented here included.
   *
   * @throws CarrierUnavailableError
   */
  abstract listOwned(search: OwnedSearch): Promise<readonly OwnedNumber[]>;

  /**
   * One of them; null where the account has no such number, which is the proof that it is not the account's.
   *
   * @param reference its E.164, or the carrier's id of it
   * @throws CarrierUnavailableError
   */
  abstract findOwned(reference: string): Promise<OwnedNumber | null>;

  /**
   * Has the calls of a number that is in the account come to us. The same again changes nothing more.
   *
   * @throws NumberNotOwnedError when it surely was not done
   * @throws CarrierUnavailableError
   */
  abstract adoptNumber(number: OwnedNumber): Promise<void>;

  /**
   * Undoes that; the number stays in the account. One that is not there, or whose calls go elsewhere, is no error.
   *
   * @throws CarrierUnavailableError
   */
  abstract detach(e164: string): Promise<void>;
}

/** The account at the carrier has no such number. */
export class NumberNotOwnedError extends Error {
  override readonly name = 'NumberNotOwnedError';

  constructor(options?: ErrorOptions) {
    super('The account at the carrier has no such number.', options);
  }
}

export class NumberNotOfferedError extends Error {
  override readonly name = 'NumberNotOfferedError';

  constructor(options?: ErrorOptions) {
    super('The carrier does not offer this number.', options);
  }
}

/** No answer, or none that can be read; what the carrier said is in `cause`. */
export class CarrierUnavailableError extends Error {
  override readonly name: string = 'CarrierUnavailableError';

  constructor(options?: ErrorOptions) {
    super('The carrier is unavailable.', options);
  }
}

/** The carrier refuses the account's credentials: asking again is useless until they are changed. */
export class CarrierAccountRefusedError extends CarrierUnavailableError {
  override readonly name = 'CarrierAccountRefusedError';
}
