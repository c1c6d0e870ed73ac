import { Injectable } from '@nestjs/common';
import { Logger } from '../../common/observability/logger.js';
import { SentencePieces } from '../../common/spoken-text/sentences/sentence-pieces.js';
import { type Clock, SystemClock } from '../../common/time/clock.js';
import type { SpokenMessage } from '../../providers/telephony/call/incoming-calls.js';
import type { Announcer, Phrase } from '../../runtime/call/announcements/announcer.js';
import { SessionFactories } from '../../runtime/call/session-factories.js';
import type { VoiceSettings } from '../../runtime/call/settings/voice-settings.js';
import type { MonitoredCall } from './monitored-call.js';

/** Before the call ends, so that the last word is not cut off. */
const LAST_PAUSE_MS = 500;
const SENTENCE_PAUSE_MS = 300;

/** Who speaks on a call on which no assistant talks. */
export interface Speaker {
  /** Language tag such as `pt-BR`. */
  readonly language: string;
  /** Null: a voice of the installation. */
  readonly voice: VoiceSettings | null;
}

/** A text that is spoken on a call, and by whom. */
export type Message = SpokenMessage & Speaker;

/** Speaks on answered calls on which no assistant talks, without recogniser and model. */
@Injectable()
export class MessageVoicesService {
  constructor(
    private readonly factories: SessionFactories,
    private readonly logger: Logger,
  ) {}

  /** Returns when the message was heard or the call is over. Never fails: the call has to end in any case. */
  async say(answered: MonitoredCall, { text, ...speaker }: Message, maxMs: number): Promise<void> {
    const { lease } = answered;
    const clock = new SystemClock(lease.line.capabilities.speed);
    const over = new AbortController();
    const cancel = clock.after(maxMs, () => over.abort());
    const signal = AbortSignal.any([over.signal, lease.signal]);
    void this.watchEnd(answered, signal, () => over.abort());
    try {
      const announcer = await this.open(answered, speaker, clock, signal);
      try {
        await announcer.say(phrasesOf(text, speaker.language));
      } finally {
        await announcer.close();
      }
    } catch (err) {
      if (!signal.aborted) this.logger.error('message not spoken', { callId: answered.call.id, err });
    } finally {
      cancel();
      over.abort();
    }
  }

  /** @throws CallCarrierError | SpeechUnavailableError as SessionFactories.announcer does */
  open(
    { call, lease, carrierCallId }: MonitoredCall,
    { language, voice }: Speaker,
    clock: Clock,
    signal: AbortSignal,
  ): Promise<Announcer> {
    return this.factories.announcer({
      media: lease.line.media,
      callId: carrierCallId,
      language,
      ...(voice && { speaker: { userId: call.userId, voice } }),
      clock,
      hearsKeys: false,
      onKey: () => undefined,
      signal,
    });
  }

  /** Tells when the caller has hung up, or nothing can be heard of the line any more. Never fails. */
  async watchEnd(
    { carrierCallId, lease }: MonitoredCall,
    signal: AbortSignal,
    onEnd: () => void,
  ): Promise<void> {
    try {
      for await (const event of lease.line.watch(carrierCallId, signal)) {
        if (event.type === 'ended') break;
      }
    } catch (err) {
      this.logger.warn('call without an assistant not watched', { callId: lease.callId, err });
    }
    if (!signal.aborted) onEnd();
  }
}

/** By sentences, so that the first one is heard while the next one is rendered. */
export function phrasesOf(text: string, language: string): Phrase[] {
  const pieces = new SentencePieces(language);
  const sentences = [...pieces.push(text), ...pieces.end()].map((sentence) => sentence.trim());
  return sentences.map((sentence, at) => ({
    text: sentence,
    pauseMs: at === sentences.length - 1 ? LAST_PAUSE_MS : SENTENCE_PAUSE_MS,
  }));
}
