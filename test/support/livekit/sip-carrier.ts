import type { LiveKitConfig } from '../../../src/config/config.js';
import type { JoinCalleeRoom } from '../../../src/providers/telephony/livekit-sip/callee-room.js';
import { LiveKitSipCarrier } from '../../../src/providers/telephony/livekit-sip/livekit-sip-carrier.js';
import type { TrunkNumber } from '../../../src/providers/telephony/sip/carrier/trunk-number.js';

/** Numbers that behave in known ways at a FakeSipService. */
export const SIP_NUMBERS = {
  from: '+12125550100',
  fromId: 7,
  human: '+5511987654300',
  busy: '+5511987654301',
  noAnswer: '+5511987654302',
  machine: '+5511987654303',
  failing: '+5511987654304',
  invalid: '+123',
};

export const SIP_TRUNK: TrunkNumber = {
  phoneNumberId: SIP_NUMBERS.fromId,
  accountId: 1,
  number: SIP_NUMBERS.from,
  countryCode: 'US',
  callingFormat: 'e164',
  target: { host: 'sip.operator.example', port: 5080, protocol: 'tcp' },
  username: 'prosa',
  password: 'a password',
  inboundAddresses: null,
  srtp: 'optional',
  provenAtMs: null,
};

/** A carrier with one trunk. */
export function sipCarrierOf(server: LiveKitConfig, join: JoinCalleeRoom): LiveKitSipCarrier {
  const carrier = new LiveKitSipCarrier({
    server,
    join,
    roomPrefix: 'prosa-test-sip-',
    allowCidrs: [],
    onTrouble: () => {},
    times: { joinMs: 6_000, takenMs: 3_000, reasonMs: 400, doubtMs: 1_500, referMs: 200 },
  });
  carrier.serve({ findTrunk: async (id) => (id === SIP_TRUNK.phoneNumberId ? SIP_TRUNK : null) });
  return carrier;
}
