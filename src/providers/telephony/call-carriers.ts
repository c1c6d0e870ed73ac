import { AbsentCarrier } from './absent-carrier.js';
import type { CallCarrier } from './call-carrier.js';
import { accountInName, familyOf, nameOfAccount } from './carrier-name.js';

/** A number, as far as it says by which call it was proven. */
export interface VerifiableNumber {
  readonly verifiedAt: Date | null;
  /** Name of a carrier. */
  readonly verifiedBy: string | null;
}

/** A number of the platform, as far as it decides which carrier reaches it. */
export interface CarrierNumber extends VerifiableNumber {
  /** Of its row, which is also that of its SIP trunk. */
  readonly id: number;
  readonly type: 'normal' | 'sip' | 'caller_id';
  /** Id of the row of `carrier_accounts` whose credentials it was rented with; null for the installation's, or no carrier's. */
  readonly carrierAccountId: string | null;
}

/** The carriers of this installation, side by side. */
export class CallCarriers {
  private readonly routes: {
    readonly carrier: CallCarrier;
    readonly serves: ((number: CarrierNumber) => boolean) | null;
  }[] = [];

  /** @param fallback takes the numbers that no other carrier serves, and calls without a number */
  constructor(readonly fallback: CallCarrier) {}

  /**
   * Adds a carrier; to be called before calls are made. Of several that serve a number, the first to be added has it.
   *
   * @param serves whether calls from this number go out through the carrier; null for one that no number leads to
   */
  add(carrier: CallCarrier, serves: ((number: CarrierNumber) => boolean) | null): void {
    if (this.all.some(({ name }) => name === carrier.name)) {
      throw new Error(`there are two carriers of the name ${carrier.name}`);
    }
    this.routes.push({ carrier, serves });
  }

  get all(): readonly CallCarrier[] {
    return [...this.routes.map(({ carrier }) => carrier), this.fallback];
  }

  /** Those that numbers lead to. */
  get ofNumbers(): readonly CallCarrier[] {
    return [
      ...this.routes.filter(({ serves }) => serves !== null).map(({ carrier }) => carrier),
      this.fallback,
    ];
  }

  /** The one through which calls from this number go out; null is no number. */
  of(number: CarrierNumber | null): CallCarrier {
    const carrier = (number && this.routes.find(({ serves }) => serves?.(number)))?.carrier;
    if (number?.type === 'caller_id' && !this.shows(number, carrier)) return new AbsentCarrier('absent');
    if (!number || number.carrierAccountId === null) return carrier ?? this.fallback;
    // A number that an account rents with its own credentials is reached by no other carrier, least of all the
    // sandbox.
    return (
      carrier?.ofAccount(number.carrierAccountId) ??
      new AbsentCarrier(nameOfAccount('absent', number.carrierAccountId))
    );
  }

  /** The one of that name, as calls keep it; one that knows no calls when it is not set up any more. */
  named(name: string): CallCarrier {
    const known = this.all.find((carrier) => carrier.name === familyOf(name));
    const account = accountInName(name);
    return (account === null ? known : known?.ofAccount(account)) ?? new AbsentCarrier(name);
  }

  /**
   * Whether an answered call proves that the person has the number that was called. The sandbox reaches no real
   * phone: it is believed only where no other carrier reaches real people either.
   */
  proves(name: string): boolean {
    const reachesPeople = this.named(name).capabilities.reachesPeople;
    return reachesPeople || !this.all.some(({ capabilities }) => capabilities.reachesPeople);
  }

  /** Whether the account of a number has proven that the number is its own. */
  isVerified<Row extends VerifiableNumber>(number: Row): number is Row & { readonly verifiedAt: Date } {
    return number.verifiedAt !== null && number.verifiedBy !== null && this.proves(number.verifiedBy);
  }

  /** An unproven number is not shown. Where real people are reached, the sandbox does not count as a carrier. */
  private shows(number: CarrierNumber, carrier: CallCarrier | undefined): boolean {
    const isReached = carrier !== undefined || this.proves(this.fallback.name);
    return isReached && this.isVerified(number);
  }

  async close(): Promise<void> {
    await Promise.all(this.all.map((carrier) => carrier.close()));
  }
}
