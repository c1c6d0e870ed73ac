import type { CancelTimer, Clock } from '../clock.js';
import { parseParameters, parseSeconds } from '../message/header-values.js';
import type { SipHeaders } from '../message/sip-headers.js';
import type { SipMessage, SipRequest, SipResponse } from '../message/sip-message.js';

/** RFC 4028 §5: an interval below is refused. */
const LEAST_SECONDS = 90;
const DEFAULT_SECONDS = 1_800;
/** Shorter waits would send one refresh after another. */
const LEAST_POSTPONEMENT_MS = 1_000;

type Role = 'uac' | 'uas';

/** A timer as it was agreed; `weRefresh` says whose task that is. */
export interface SessionTimerState {
  readonly expiresSeconds: number;
  readonly weRefresh: boolean;
}

/** Detects that the far end is gone without a BYE: the session is refreshed in time, or ends (RFC 4028). */
export class SessionTimer {
  private state: SessionTimerState | null = null;
  private leastSeconds = LEAST_SECONDS;
  /** When the session ends unless it is refreshed, by the clock. */
  private expiresAtMs = 0;
  private cancel: CancelTimer = () => {};

  /** @param lowestSeconds what is refused below; shorter in tests */
  constructor(
    private readonly clock: Clock,
    private readonly onRefresh: () => void,
    private readonly onExpired: () => void,
    private readonly lowestSeconds = LEAST_SECONDS,
  ) {
    this.leastSeconds = lowestSeconds;
  }

  snapshot(): SessionTimerState | null {
    return this.state;
  }

  /** Continues from the state of another process. */
  resume(state: SessionTimerState | null): void {
    this.state = state;
    this.restart();
  }

  /** How long the session lasts without a refresh; null where there is no timer. */
  get remainingMs(): number | null {
    return this.state && Math.max(this.expiresAtMs - this.clock.nowMs(), 0);
  }

  /**
   * The peer has refused a refresh. It answers, so the call continues. The next attempt is due at half of the
   * remaining time, as long as an answer can still arrive.
   */
  postpone(): void {
    const waitMs = (this.remainingMs ?? 0) / 2;
    if (!this.state?.weRefresh || waitMs < LEAST_POSTPONEMENT_MS) return;
    this.cancel();
    this.cancel = this.clock.after(waitMs, () => this.onRefresh());
  }

  /** What a request of ours asks for. */
  writeRequest(headers: SipHeaders): void {
    const seconds = Math.max(this.state?.expiresSeconds ?? DEFAULT_SECONDS, this.leastSeconds);
    const refresher = this.state === null ? '' : `;refresher=${this.state.weRefresh ? 'uac' : 'uas'}`;
    headers.set('session-expires', `${seconds}${refresher}`).set('min-se', this.leastSeconds);
  }

  /** A 422 said how long it must be at least; false when there is nothing to try again with. */
  raise(response: SipResponse): boolean {
    const least = parseSeconds(response.headers.get('min-se'));
    if (least === null || least <= this.leastSeconds) return false;
    this.leastSeconds = least;
    return true;
  }

  /** The Min-SE to refuse a request with; null when its interval is long enough (§9). */
  minimumIfTooShort(request: SipRequest): number | null {
    const asked = parseSeconds(request.headers.get('session-expires'));
    const isTooShort = asked !== null && asked < this.lowestSeconds;
    return isTooShort && supportsTimer(request) ? this.lowestSeconds : null;
  }

  /** Agrees on what a request asks for, and writes it into its 2xx (§9, table 2). */
  answer(request: SipRequest, responseHeaders: SipHeaders): void {
    const asked = intervalOf(request);
    const theySupport = supportsTimer(request);
    if (asked === null && !theySupport) {
      this.stop();
      return;
    }
    const expiresSeconds = Math.max(
      asked ?? DEFAULT_SECONDS,
      parseSeconds(request.headers.get('min-se')) ?? 0,
    );
    const wanted = refresherOf(request);
    const refresher: Role = theySupport ? (wanted ?? (asked === null ? 'uas' : 'uac')) : 'uas';
    responseHeaders.set('session-expires', `${expiresSeconds};refresher=${refresher}`);
    if (refresher === 'uac') responseHeaders.append('require', 'timer');
    this.agree({ expiresSeconds, weRefresh: refresher === 'uas' });
  }

  /** Takes over what the 2xx of our request says (§7.2). */
  accept(response: SipResponse): void {
    const seconds = intervalOf(response);
    if (seconds === null) this.stop();
    else this.agree({ expiresSeconds: seconds, weRefresh: refresherOf(response) !== 'uas' });
  }

  stop(): void {
    this.state = null;
    this.cancel();
  }

  private agree(state: SessionTimerState): void {
    this.state = state;
    this.restart();
  }

  /** We refresh at half time; the peer is given up shortly before the end (§10). */
  private restart(): void {
    this.cancel();
    if (!this.state) return;
    const { expiresSeconds, weRefresh } = this.state;
    this.expiresAtMs = this.clock.nowMs() + expiresSeconds * 1_000;
    const giveUpAfter = expiresSeconds - Math.min(32, expiresSeconds / 3);
    const waitMs = (weRefresh ? expiresSeconds / 2 : giveUpAfter) * 1_000;
    this.cancel = this.clock.after(waitMs, () => (weRefresh ? this.onRefresh() : this.onExpired()));
  }
}

/** Null for none, and for 0, which would be a session that is over at once. */
function intervalOf(message: SipMessage): number | null {
  return parseSeconds(message.headers.get('session-expires')) || null;
}

function supportsTimer(message: SipMessage): boolean {
  return message.headers.lists('supported', 'timer') || message.headers.lists('require', 'timer');
}

function refresherOf(message: SipMessage): Role | null {
  const value = message.headers.get('session-expires') ?? '';
  const refresher = parseParameters(value.slice(value.indexOf(';') + 1))
    .get('refresher')
    ?.toLowerCase();
  return refresher === 'uac' || refresher === 'uas' ? refresher : null;
}
