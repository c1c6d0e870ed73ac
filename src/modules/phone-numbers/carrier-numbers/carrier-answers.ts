import { UnavailableError } from '../../../common/errors/errors.js';
import {
  CarrierAccountRefusedError,
  CarrierUnavailableError,
} from '../../../providers/telephony/number-carrier.js';
import { CarrierAccountDeniedError } from '../phone-numbers.errors.js';

/**
 * Asks the carrier, and turns its errors into those of the API.
 *
 * @throws CarrierAccountDeniedError | UnavailableError
 */
export async function askCarrier<T>(carrierAccountId: string | null, question: () => Promise<T>): Promise<T> {
  try {
    return await question();
  } catch (error) {
    throwIfDenied(error, carrierAccountId);
    if (error instanceof CarrierUnavailableError) throw new UnavailableError({ cause: error });
    throw error;
  }
}

/** @throws CarrierAccountDeniedError which the account can mend by itself */
export function throwIfDenied(error: unknown, carrierAccountId: string | null): void {
  const isOwn = carrierAccountId !== null && error instanceof CarrierAccountRefusedError;
  if (isOwn) throw new CarrierAccountDeniedError({ cause: error });
}
