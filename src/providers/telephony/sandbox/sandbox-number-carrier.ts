import { Injectable } from '@nestjs/common';
import {
  NumberCarrier,
  NumberNotOfferedError,
  NumberNotOwnedError,
  type NumberOffer,
  type NumberSearch,
  type OwnedNumber,
  type OwnedSearch,
} from '../number-carrier.js';
import { NUMBER_BLOCKS, numbersOf } from './number-blocks.js';

const OFFERS: readonly NumberOffer[] = NUMBER_BLOCKS.flatMap((block) =>
  numbersOf(block).map((e164) => ({
    e164,
    countryCode: block.countryCode,
    region: 'sandbox',
    monthlyPriceMicros: block.monthlyPriceMicros,
    addressRequirement: 'none',
    smsCapable: block.smsCapable,
  })),
);

/**
 * Rents out numbers that have no subscriber. It stores nothing, so all processes agree on it: which numbers
 * are rented is in the database alone.
 */
@Injectable()
export class SandboxNumberCarrier extends NumberCarrier {
  readonly countries = [...new Set(OFFERS.map(({ countryCode }) => countryCode))];

  async searchNumbers({ countryCode, contains = '', limit }: NumberSearch): Promise<readonly NumberOffer[]> {
    return OFFERS.filter((offer) => offer.countryCode === countryCode && offer.e164.includes(contains)).slice(
      0,
      limit,
    );
  }

  async buyNumber(e164: string, _key: string): Promise<void> {
    if (!OFFERS.some((offer) => offer.e164 === e164)) throw new NumberNotOfferedError();
  }

  async releaseNumber(_e164: string): Promise<void> {
    // Nothing is kept, so there is nothing to give back.
  }

  /** Customers have no accounts with it that could hold numbers. */
  async listOwned(_search: OwnedSearch): Promise<readonly OwnedNumber[]> {
    return [];
  }

  async findOwned(_reference: string): Promise<OwnedNumber | null> {
    return null;
  }

  async adoptNumber(_number: OwnedNumber): Promise<void> {
    throw new NumberNotOwnedError();
  }

  async detach(_e164: string): Promise<void> {
    // None of its calls ever came to us in this way.
  }
}
