import { AbsentCarrier } from './absent-carrier.js';
import type { CallCarrier } from './call-carrier.js';
import { accountInName, familyOf, nameOfAccount } from './carrier-name.js';

/** A number of the platform, as far as it decides which carrier reaches it. */
export interface CarrierNumber {
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
    if (!number || number.carrierAccountId === null) return carrier ?? this.fallback;
    // Nobody else reaches a number that an account rents with its own credentials, least of all the sandbox.
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

  async close(): Promise<void> {
    await Promise.all(this.all.map((carrier) => carrier.close()));
  }
}
