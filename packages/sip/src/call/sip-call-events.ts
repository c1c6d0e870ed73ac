import type { ReferRequest } from './refer.js';
import type { SipCallEnd } from './sip-call-end.js';

/** What happens on a call, in this order but for `key`, `changed`, `hold` and `refer`. */
export interface SipCallEvents {
  /** A provisional response: 180, 181, 183. */
  ringing: [status: number];
  /** Audio before the answer: announcements, or the operator's own ringing. */
  early: [];
  answered: [];
  /** What `snapshot` returns has changed: the dialog is confirmed, or the session was changed by either side. */
  changed: [];
  /** A key of the far end, by RTP or INFO. */
  key: [key: string];
  /** The far end has put us on hold, or has resumed. */
  hold: [held: boolean];
  /** The far end wants to hand us on. Without a listener it is declined. */
  refer: [request: ReferRequest];
  /** The last event. */
  ended: [end: SipCallEnd];
}
