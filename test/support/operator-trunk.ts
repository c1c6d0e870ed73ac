import type { TrunkNumber } from '#src/providers/telephony/sip/carrier/trunk-number.js';

/** A number of a trunk whose operator listens on this machine at the port. */
export function operatorTrunk(
  port: number,
  changes: Partial<TrunkNumber> & Pick<TrunkNumber, 'number'>,
): TrunkNumber {
  return {
    phoneNumberId: 7,
    accountId: 1,
    countryCode: 'US',
    callingFormat: '+e164',
    target: { host: '127.0.0.1', port, protocol: 'udp' },
    username: 'prosa',
    password: 'secret',
    inboundAddresses: ['127.0.0.1'],
    srtp: 'off',
    provenAtMs: null,
    ...changes,
  };
}
