import type { ServerResponse } from 'node:http';
import { Injectable } from '@nestjs/common';
import { waveHeader } from '../../common/audio/wave-header.js';
import { Logger } from '../../common/observability/logger.js';
import { SpeechProviderRegistry } from '../../providers/speech/speech-provider-registry.js';
import type { SampleRequest } from '../voice-workers/voice-sample-request.js';

/** Of every voice, before it is made narrower for a line. */
const RATE_HZ = 24_000;

/** Speaks short sentences for people who choose a voice. Sentences are kept with those of calls, so that each is made once. */
@Injectable()
export class SpokenSamplesService {
  constructor(
    private readonly speech: SpeechProviderRegistry,
    private readonly logger: Logger,
  ) {}

  /** Answers with a WAV file, or 409 where another voice would have to replace this one. Never fails. */
  async answer(sample: SampleRequest, response: ServerResponse): Promise<void> {
    try {
      const samples = await this.speak(sample);
      if (!samples) return void response.writeHead(409).end();
      const data = Buffer.from(samples.buffer, samples.byteOffset, samples.byteLength);
      const body = Buffer.concat([waveHeader(RATE_HZ, data.length), data]);
      response.writeHead(200, { 'Content-Type': 'audio/wav', 'Content-Length': body.length }).end(body);
    } catch (err) {
      const { userId, provider } = sample;
      this.logger.warn('voice sample not spoken', { userId, provider, err });
      if (!response.headersSent) response.writeHead(502);
      response.end();
    }
  }

  /** Null where this voice does not speak itself. */
  private async speak(sample: SampleRequest): Promise<Int16Array | null> {
    const { userId, provider, voiceCode, gender, language, text } = sample;
    const speech = await this.speech.of(userId);
    if (speech.unavailable('synthesizer', provider) !== null) return null;
    const { phraseSound } = await import('../../voice/fillers/phrase-sounds.js');
    let isReplaced = false;
    const voice = await speech.synthesizer({
      provider,
      voiceCode,
      gender,
      language,
      onHeard: ({ reason }) => (isReplaced = reason !== null),
    });
    try {
      // The provider rests after a failure, and another one would speak.
      if (voice.provider !== provider) return null;
      const name = JSON.stringify(['sample', provider, voiceCode, language]);
      const sound = await phraseSound(voice, name, text, RATE_HZ);
      return isReplaced ? null : sound;
    } finally {
      await voice.close();
    }
  }
}
