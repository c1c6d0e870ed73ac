// Entry of `@prosa/sip/testing`: peers and messages for tests.
export { answerChallenge, chooseChallenge } from '../src/auth/digest.js';
export { SipRequest } from '../src/message/sip-message.js';
export { TrunkDirectory } from '../src/trunk/trunk-directory.js';
export {
  FAST_TIMERS,
  listen,
  loopbackTrunk,
  nextCall,
  nextEvent,
  openLossyPath,
  openScriptedPeer,
  openUserAgent,
  playTone,
  toneShare,
} from './sip-harness.js';
export { mutate, seededRandom } from './sip-mutations.js';
export { SipOperator } from './sip-operator.js';
export { TORTURE } from './sip-torture.js';
