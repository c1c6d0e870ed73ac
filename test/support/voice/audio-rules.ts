import type { CallRulesSubject } from '../../conformance/call-rules/call-rules.js';
import { KeypadDetector, keypadTones, type AudioLine } from '@prosa/audio';
import type { SandboxPersona } from '../../../src/providers/telephony/sandbox/sandbox-persona.js';
import { SandboxAudioCarrier } from '../../../src/providers/telephony/sandbox/sound/sandbox-audio-carrier.js';
import { SANDBOX_TIMES } from '../../../src/providers/telephony/sandbox/sandbox-times.js';
import { VoiceSessionFactory } from '../../../src/voice/voice-session-factory.js';
import { EngineTime } from './engine-time.js';
import { spoken } from '@prosa/testing';
import { type Heard, LETTER_MS, SCRIPTED_PAUSE_MS, ScriptedStt, ScriptedTts } from './scripted-speech.js';
import { VOICE } from './voice-session-run.js';

const RATE_HZ = 8_000;
/** The shortest word of the far end, so that it is heard as speech. */
const LEAST_MS = 300;
/** Of the sandbox's people and machines: before the keys, after the answer, and before the beep. */
const PAUSE_MS = { keys: 300, answer: 500, beep: 500 };
const BEEP_MS = 400;

/** Words without a pause, of any length. */
class Mumbling {
  private constructor(private readonly words: Int16Array) {}

  static async create(): Promise<Mumbling> {
    const words = await spoken('Ana Maria mora numa rua amarela no alto', RATE_HZ);
    return new Mumbling(words.subarray(words.findIndex((sample) => Math.abs(sample) > 1_000)));
  }

  lasting(ms: number): Int16Array {
    const { words } = this;
    return Int16Array.from(
      { length: (ms * RATE_HZ) / 1_000 },
      (_, index) => words[index % words.length] ?? 0,
    );
  }
}

function speechMs(text: string): number {
  return Math.max(text.length * LETTER_MS, LEAST_MS);
}

/**
 * The rules of a call on the sandbox in sound: people speak and listen by the frames of the line, and the assistant by the
 * engine, its detector of speech and its playback. Only what words a stretch of the customer's speech means is known to the
 * ears beforehand, and the assistant's voice is a tone.
 */
export async function audioOnSandbox(): Promise<CallRulesSubject> {
  const mumbling = await Mumbling.create();
  let heard: Heard[] = [];
  return {
    timeScale: 1,
    toleranceMs: 250,
    thinksMs: SANDBOX_TIMES.thinksMs,
    speechMs,
    voice: VOICE,
    wordByWord: true,
    tellsGatekeepers: true,
    pressMs: (keys) => PAUSE_MS.keys + (keypadTones(keys, RATE_HZ).length * 1_000) / RATE_HZ,
    answersMs: VOICE.endpointing.minDelayMs,
    machineKnownMs: (greeting) => PAUSE_MS.answer + speechMs(greeting) + SCRIPTED_PAUSE_MS,
    machineRecordsMs: (greeting) => PAUSE_MS.answer + speechMs(greeting) + PAUSE_MS.beep + BEEP_MS,
    onKeysSent: ({ media }, listener) => {
      if ('audio' in media) listenForKeys(media.audio, listener);
    },
    time: () => new EngineTime(),
    carrier: ({ clock }, persona) =>
      new SandboxAudioCarrier({
        clock,
        voice: {
          speak: async (text) => ({ samples: mumbling.lasting(speechMs(text)), sampleRateHz: RATE_HZ }),
        },
        persona: (e164, dial) => {
          const person = persona(e164, dial);
          heard = linesOf(person).map((text) => ({ text, language: 'en' }));
          return person;
        },
      }),
    sessions: () =>
      new VoiceSessionFactory({
        limits: { maxToolSteps: 4, maxToolsPerStep: 4 },
        recordingsDir: '',
        recordingSkip: async () => null,
        onRecordingSkipped: () => {},
        onError: (error) => {
          throw error;
        },
        speechOf: async () => ({
          recognizer: async () => closing(new ScriptedStt(heard)),
          synthesizer: async () => closing(new ScriptedTts()),
          realtime: () => Promise.reject(new Error('There is no realtime model.')),
          isRealtimeResting: () => false,
          realtimeFailed: () => {},
        }),
      }),
  };
}

/** All they will say, in order. */
function linesOf({ opening, replies }: SandboxPersona): string[] {
  return [opening, ...replies.map(({ say }) => say)].filter((line) => typeof line === 'string');
}

function closing<Part extends object>(part: Part): Part & { close(): Promise<void> } {
  return Object.assign(part, { close: async () => {} });
}

/** By the tones in what is sent to the far end. */
function listenForKeys(audio: AudioLine, listener: (keys: string) => void): void {
  const open = audio.open.bind(audio);
  audio.open = async (callId, signal) => {
    const line = await open(callId, signal);
    const keys = new KeypadDetector(line.sampleRateHz);
    const send = (frame: Int16Array) => {
      const key = keys.hear(frame);
      if (key !== null) listener(key);
      line.send(frame);
    };
    return { ...line, send };
  };
}
