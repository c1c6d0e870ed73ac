import { SystemClock } from '../../../common/time/clock.js';
import type { CallCarrierCapabilities } from '../../../providers/telephony/call/call-capabilities.js';
import type { SecondLegLine } from '../../../providers/telephony/call/call-line.js';
import type { TransferOutcome } from '../../../providers/telephony/call/carrier-call.js';
import type { Announcer } from '../../../runtime/call/announcements/announcer.js';
import type { SessionFactories } from '../../../runtime/call/session-factories.js';
import { SecondLeg } from '../../../runtime/call/transfers/second-leg.js';
import type { NumberVerification, VerificationFailure } from '../number-verification.entity.js';
import { MAX_TALK_SECONDS } from './verification-prices.js';
import { chooseKey, LANGUAGE_TAGS, question, shortQuestion, spokenCode } from './verification-words.js';

const RINGING_MS = 30_000;
/** After each question. */
const KEY_WAIT_MS = 8_000;

export interface VerificationCallHost {
  readonly line: SecondLegLine;
  readonly capabilities: Pick<CallCarrierCapabilities, 'inBandDigits' | 'speed'>;
  readonly factories: Pick<SessionFactories, 'announcer'>;
  /** Chooses the code and has it stored. Null when the code is no longer awaited. */
  beginCode(): Promise<string | null>;
  /** The process stops. */
  readonly signal: AbortSignal;
}

export interface VerificationCallResult {
  /** Null where the code was spoken. */
  readonly failure: VerificationFailure | null;
  /** From the answer to the end, in the carrier's time. */
  readonly answeredSeconds: number;
}

/**
 * One call that proves a number. It says its purpose, waits for a key that only a listener can know, and then speaks
 * the code. Speech of the called person is neither heard nor stored.
 */
export class VerificationCall {
  private readonly clock: SystemClock;
  private readonly over = new AbortController();
  private readonly leg: SecondLeg;
  private keys = '';
  private onKey: () => void = () => {};

  constructor(
    private readonly verification: NumberVerification,
    private readonly host: VerificationCallHost,
  ) {
    this.clock = new SystemClock(host.capabilities.speed);
    const { callKey: key, callerNumber: from, phoneNumber: to, callerNumberId: phoneNumberId } = verification;
    const request = { key, from, to, phoneNumberId, ringingTimeoutMs: RINGING_MS };
    this.leg = new SecondLeg(host.line, request, AbortSignal.any([host.signal, this.over.signal]));
    this.leg.onKeys = (digits) => this.press(digits);
  }

  /**
   * Makes the call, from the dial to the end.
   *
   * @throws CallCarrierError when the carrier does not take it, or cannot be watched
   * @throws the error of the voice
   */
  async run(): Promise<VerificationCallResult> {
    try {
      const outcome = await this.leg.dial();
      if (outcome !== 'answered') return { failure: failureOf(outcome), answeredSeconds: 0 };
      return await this.talk();
    } finally {
      await this.leg.hangUp();
      this.over.abort();
    }
  }

  private async talk(): Promise<VerificationCallResult> {
    const startedAtMs = this.clock.nowMs();
    const signal = AbortSignal.any([this.leg.ended, this.host.signal, this.over.signal]);
    const cancel = this.clock.after(MAX_TALK_SECONDS * 1_000, () => this.over.abort());
    try {
      const failure = await this.say(signal);
      return { failure, answeredSeconds: Math.ceil((this.clock.nowMs() - startedAtMs) / 1_000) };
    } finally {
      cancel();
    }
  }

  private async say(signal: AbortSignal): Promise<VerificationFailure | null> {
    const { line, capabilities, factories } = this.host;
    const { language } = this.verification;
    const announcer = await factories.announcer({
      media: line.media,
      callId: this.leg.id,
      language: LANGUAGE_TAGS[language],
      clock: this.clock,
      hearsKeys: capabilities.inBandDigits,
      onKey: (key) => this.press(key),
      signal,
    });
    try {
      const key = chooseKey();
      if (!(await this.isAnswered(key, announcer, signal))) return 'no-key';
      const code = await this.host.beginCode();
      if (code === null) return 'call-failed';
      await announcer.say(spokenCode(language, code));
      return null;
    } finally {
      await announcer.close();
    }
  }

  /** Whether that key is the first that is pressed. */
  private async isAnswered(key: string, announcer: Announcer, signal: AbortSignal): Promise<boolean> {
    const { language } = this.verification;
    for (const words of [question(language, key), shortQuestion(language, key)]) {
      const pressed = new Promise<void>((resolve) => {
        this.onKey = resolve;
      });
      await Promise.race([announcer.say(words), pressed]);
      if (this.keys === '') await Promise.race([pressed, this.wait(KEY_WAIT_MS, signal)]);
      announcer.cut();
      if (this.keys !== '' || signal.aborted) break;
    }
    return !signal.aborted && this.keys.startsWith(key);
  }

  private press(digits: string): void {
    this.keys += digits;
    this.onKey();
  }

  private wait(ms: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const over = () => {
        cancel();
        resolve();
      };
      const cancel = this.clock.after(ms, over);
      signal.addEventListener('abort', over, { once: true });
      if (signal.aborted) over();
    });
  }
}

function failureOf(outcome: Exclude<TransferOutcome, 'answered'>): VerificationFailure {
  switch (outcome) {
    case 'busy':
      return 'busy';
    case 'no-answer':
    case 'declined':
      return 'no-answer';
    case 'failed':
      return 'call-failed';
  }
}
