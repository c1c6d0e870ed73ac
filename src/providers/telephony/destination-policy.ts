import { Injectable } from '@nestjs/common';
import { type DestinationRefusal, destinationRefusal } from '../../common/phone/destination-refusal.js';
import { TelephonyConfig } from '../../config/config.js';
import type { CallCarrier } from './call-carrier.js';

/**
 * Where calls may go, by the operator's rules: calls on request, leads, transfers and number verifications. Owners of premium
 * numbers earn by each call, and the operator answers for all calls on the carriers that accounts share.
 */
@Injectable()
export class DestinationPolicy {
  constructor(private readonly config: TelephonyConfig) {}

  /**
   * Why the carrier may not call there; null where it may. An account's own trunk and own carrier have no such rules.
   *
   * @param to E.164; of a second leg also a SIP address or an extension
   */
  check(
    to: string,
    { isSharedByAccounts }: Pick<CallCarrier, 'isSharedByAccounts'>,
  ): DestinationRefusal | null {
    return isSharedByAccounts ? destinationRefusal(to, this.config.destinations) : null;
  }
}
