import {
  CarrierUnavailableError,
  NumberCarrier,
  type NumberOffer,
  type NumberSearch,
  type OwnedNumber,
  type OwnedSearch,
} from '../number-carrier.js';

/** A carrier of a paused installation: its numbers can be read, and none is rented, given back or connected. */
export class PausedNumberCarrier extends NumberCarrier {
  readonly buyNumber = refuse;
  readonly releaseNumber = refuse;
  readonly adoptNumber = refuse;
  readonly detach = refuse;

  constructor(private readonly carrier: NumberCarrier) {
    super();
  }

  get countries(): readonly string[] {
    return this.carrier.countries;
  }

  searchNumbers(search: NumberSearch): Promise<readonly NumberOffer[]> {
    return this.carrier.searchNumbers(search);
  }

  listOwned(search: OwnedSearch): Promise<readonly OwnedNumber[]> {
    return this.carrier.listOwned(search);
  }

  findOwned(reference: string): Promise<OwnedNumber | null> {
    return this.carrier.findOwned(reference);
  }
}

async function refuse(): Promise<never> {
  throw new CarrierUnavailableError({ cause: 'the installation is paused' });
}
