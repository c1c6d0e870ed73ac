import { setTimeout as sleep } from 'node:timers/promises';
import { stt, tts } from '@livekit/agents';
import { AudioFrame } from '@livekit/rtc-node';
import { rmsOf } from '@prosa/audio';
import type { SpeechServices } from '../../../src/voice/agent/speech-services.js';
import { tone } from '@prosa/testing';

const LOUD = 0.01;
/** How long a recogniser needs to be sure that the speaker has finished. */
export const SCRIPTED_PAUSE_MS = 200;

/** What a customer will have said, by the next stretch of sound; null: a noise without words. */
export type Heard = { readonly text: string; readonly language?: string } | null;

/** Detects speech, and takes its words from the test. */
export class ScriptedStt extends stt.STT {
  override label = 'scripted.STT';
  failure: Error | null = null;
  /** Delay of the words behind the end of the speech. */
  lateMs = 0;

  /** @param script what is left to be heard; ears of one call share it */
  constructor(readonly script: Heard[] = []) {
    super({ streaming: true, interimResults: true });
  }

  /** The customer will say these words next. */
  expect(text: string | null, language = 'pt-BR'): void {
    this.script.push(text === null ? null : { text, language });
  }

  protected override async _recognize(): Promise<stt.SpeechEvent> {
    throw new Error('It is a stream.');
  }

  override stream(): stt.SpeechStream {
    return new ScriptedSttStream(this, 16_000);
  }
}

class ScriptedSttStream extends stt.SpeechStream {
  override label = 'scripted.STT.stream';

  constructor(
    private readonly owner: ScriptedStt,
    sampleRate: number,
  ) {
    super(owner, sampleRate);
  }

  protected override async run(): Promise<void> {
    let loudMs = 0;
    let silentMs = 0;
    for await (const frame of this.input) {
      if (this.owner.failure) throw this.owner.failure;
      if (!(frame instanceof AudioFrame)) continue;
      const ms = (frame.samplesPerChannel * 1_000) / frame.sampleRate;
      if (rmsOf(frame.data) > LOUD) {
        silentMs = 0;
        if (loudMs < 300 && loudMs + ms >= 300) this.tell(stt.SpeechEventType.INTERIM_TRANSCRIPT);
        loudMs += ms;
      } else if (loudMs > 0 && (silentMs += ms) >= SCRIPTED_PAUSE_MS) {
        if (this.owner.lateMs > 0) await sleep(this.owner.lateMs);
        if (loudMs >= 100) this.tell(stt.SpeechEventType.FINAL_TRANSCRIPT);
        loudMs = 0;
        silentMs = 0;
      }
    }
  }

  private tell(type: stt.SpeechEventType): void {
    const heard = this.owner.script[0];
    const isFinal = type === stt.SpeechEventType.FINAL_TRANSCRIPT;
    if (isFinal) this.owner.script.shift();
    if (!heard) return;
    const text = isFinal ? heard.text : (heard.text.split(' ')[0] ?? '');
    this.queue.put({
      type,
      alternatives: [
        {
          language: (heard.language ?? '') as stt.SpeechData['language'],
          text,
          startTime: 0,
          endTime: 0,
          confidence: 1,
        },
      ],
    });
  }
}

/** How long a letter sounds. */
export const LETTER_MS = 50;

/** Says everything as one tone, 50 ms for each letter, as fast as it is asked. */
export class ScriptedTts extends tts.TTS {
  override label = 'scripted.TTS';
  readonly said: string[] = [];
  failure: Error | null = null;
  firstSoundMs = 0;

  /** @param pitchHz tells one voice from another */
  constructor(readonly pitchHz = 440) {
    super(24_000, 1, { streaming: false });
  }

  override synthesize(text: string): tts.ChunkedStream {
    this.said.push(text);
    return new ScriptedSound(text, this);
  }

  override stream(): tts.SynthesizeStream {
    throw new Error('It takes whole sentences.');
  }
}

class ScriptedSound extends tts.ChunkedStream {
  override label = 'scripted.TTS.sound';

  constructor(
    text: string,
    private readonly voice: ScriptedTts,
  ) {
    super(text, voice);
  }

  protected override async run(): Promise<void> {
    const { failure } = this.voice;
    if (failure) {
      // As our fallback voices do: what a stream throws, the engine does not catch.
      const [label, timestamp] = [this.voice.label, Date.now()];
      this.voice.emit('error', { type: 'tts_error', timestamp, label, error: failure, recoverable: false });
      this.queue.close();
      return;
    }
    if (this.voice.firstSoundMs > 0) await sleep(this.voice.firstSoundMs);
    const samples = tone(this.voice.pitchHz, 24_000, this.inputText.length * LETTER_MS, 0.4);
    const frames = Math.max(Math.ceil(samples.length / 480), 1);
    for (let index = 0; index < frames; index++) {
      const data = new Int16Array(480);
      data.set(samples.subarray(index * 480, (index + 1) * 480));
      const frame = new AudioFrame(data, 24_000, 1, 480);
      this.queue.put({ requestId: 'sound', segmentId: 'sound', frame, final: index === frames - 1 });
    }
    this.queue.close();
  }
}

/** Ears and a voice for a call in a test. */
export class ScriptedSpeech implements SpeechServices {
  readonly stt = new ScriptedStt();
  readonly tts = new ScriptedTts();
  readonly realtime = null;
  readonly others = new Map<string, ScriptedTts>();
  isClosed = false;

  async voiceFor({ iso2 }: { readonly iso2: string }): Promise<tts.TTS | null> {
    return this.others.get(iso2) ?? null;
  }

  async phraseVoice(): Promise<tts.TTS> {
    return this.tts;
  }

  async close(): Promise<void> {
    this.isClosed = true;
  }
}
