import { mkdir } from 'node:fs/promises';
import { ensureAgentsLogger } from '../providers/speech/agents-logger.js';
import { CallCarrierError } from '../providers/telephony/call-carrier-error.js';
import type { Announcer, AnnouncerSetup } from '../runtime/call/announcements/announcer.js';
import type { VoiceSettings } from '../runtime/call/settings/voice-settings.js';
import type {
  AssistantSession,
  AssistantSessionFactory,
  SessionPreparation,
  SessionSetup,
} from '../runtime/call/session/assistant-session.js';
import type { TurnLimits } from '../runtime/chat-turn.js';
import { canPackRecordings } from './audio/ffmpeg.js';
import { outliveEngineFaults } from './engine-faults.js';
import type { RecordingSkip } from '../runtime/call/recording-file.js';
import { CallRecorder } from './recording/call-recorder.js';
import { LineAnnouncer } from './line/line-announcer.js';
import { VoiceSession } from './session/voice-session.js';
import {
  openRecognizer,
  openSpeaking,
  openSpeech,
  type SpeechProviders,
  synthesizerOptionsOf,
} from './agent/open-speech.js';
import { HeardVoices } from './agent/heard-voices.js';
import { render } from './fillers/phrase-sounds.js';
import type { RenderedSpeech, Speaking } from './agent/speech-services.js';

export interface VoiceSessionFactoryDependencies {
  readonly limits: TurnLimits;
  /** What an account's calls hear and speak with, as its keys are now. */
  readonly speechOf: (userId: number) => Promise<SpeechProviders>;
  /** Where calls are recorded until they are stored; made when it is missing. */
  readonly recordingsDir: string;
  /** Why nothing more may be recorded on this disk now; null where it may. */
  readonly recordingSkip: () => Promise<RecordingSkip | null>;
  /** Takes a call that is not recorded although it should be. */
  onRecordingSkipped(call: { readonly userId: number; readonly id: number }, reason: RecordingSkip): void;
  /** What went wrong without harm to a call's life, for the log. */
  onError(error: unknown): void;
}

/** With the providers that it was opened with: they know by which key. */
interface AccountSpeaking extends Speaking {
  readonly providers: SpeechProviders;
  readonly heard: HeardVoices;
}

interface Prepared {
  readonly speaking: Promise<AccountSpeaking>;
  readonly rendered: Promise<RenderedSpeech | null>;
}

/** Makes the sessions of lines that carry sound. It loads the engine, so only the voice role makes one. */
export class VoiceSessionFactory implements AssistantSessionFactory {
  private readonly prepared = new Map<string, Prepared>();
  private readonly mind: () => void;

  constructor(private readonly deps: VoiceSessionFactoryDependencies) {
    ensureAgentsLogger();
    this.mind = outliveEngineFaults((error) => deps.onError(error));
  }

  /** Opens the voice and renders the greeting while it rings. */
  prepare({ callId, userId, assistant, variables, voice, signal }: SessionPreparation): void {
    if (!voice || signal.aborted || this.prepared.has(callId)) return;
    const speaking = this.open(userId, voice, assistant.temperature);
    const greeting = assistant.greeting(variables).trim();
    const rendered = speaking
      .then(({ speech: { tts } }) => (tts && greeting !== '' ? render(tts, greeting, signal) : null))
      .catch((error: unknown) => {
        if (!signal.aborted) this.deps.onError(error);
        return null;
      });
    this.prepared.set(callId, { speaking, rendered });
    signal.addEventListener('abort', () => void this.drop(callId), { once: true });
  }

  /** @throws CallCarrierError `not-supported` for a line without sound; SpeechUnavailableError saying what is missing */
  async make({ media, voice, recordAs, ...setup }: SessionSetup): Promise<AssistantSession> {
    if (!('audio' in media) || !voice) throw new CallCarrierError('not-supported', 'no');
    const { callId, userId } = setup;
    const prepared = await this.take(callId);
    const { temperature } = setup.assistant;
    const speaking = prepared?.speaking ?? (await this.open(userId, voice, temperature));
    return new VoiceSession(
      { ...setup, voice: speaking.voice, line: media.audio },
      {
        limits: this.deps.limits,
        speech: speaking.speech,
        openSpeech: async (spoken, ofModel) =>
          openSpeech(await this.deps.speechOf(userId), spoken, ofModel, speaking.heard),
        openRecognizer: async (spoken) => openRecognizer(await this.deps.speechOf(userId), spoken),
        heard: speaking.heard,
        onRealtimeLost: (model, failure) => speaking.providers.realtimeFailed(model, failure),
        recorder: recordAs === null ? null : await this.recorderFor({ userId, id: recordAs }),
        // A greeting that is not ready by now would be later than one that is made sentence by sentence.
        rendered: await Promise.race([prepared?.rendered ?? Promise.resolve(null), Promise.resolve(null)]),
      },
    );
  }

  /** See SessionFactories. @param provider of the voice, as in the catalogue */
  async announce(
    setup: AnnouncerSetup,
    speech: Pick<SpeechProviders, 'synthesizer'>,
    provider: string,
  ): Promise<Announcer> {
    if (!('audio' in setup.media)) throw new CallCarrierError('not-supported', 'no');
    const { callId, language, media, signal, speaker } = setup;
    const voice = speaker
      ? await (
          await this.deps.speechOf(speaker.userId)
        ).synthesizer(synthesizerOptionsOf(speaker.voice, language))
      : await speech.synthesizer({ provider, voiceCode: '', language });
    try {
      const announcer = new LineAnnouncer(await media.audio.open(callId, signal), voice, setup);
      announcer.start((error) => this.deps.onError(error));
      return announcer;
    } catch (error) {
      await voice.close();
      throw error;
    }
  }

  /** Releases what was prepared for calls that get no session. */
  async close(): Promise<void> {
    await Promise.all([...this.prepared.keys()].map((callId) => this.drop(callId)));
    this.mind();
  }

  private async drop(callId: string): Promise<void> {
    const prepared = this.prepared.get(callId);
    this.prepared.delete(callId);
    const speaking = await prepared?.speaking.catch(() => null);
    await speaking?.speech.close();
  }

  /** What was opened while it rang; null where nothing was, and where its realtime model has failed since. */
  private async take(
    callId: string,
  ): Promise<{ readonly speaking: AccountSpeaking; readonly rendered: Prepared['rendered'] } | null> {
    const prepared = this.prepared.get(callId);
    this.prepared.delete(callId);
    const speaking = (await prepared?.speaking.catch(() => null)) ?? null;
    if (!prepared || !speaking) return null;
    const { realtime } = speaking.voice;
    if (!realtime || !speaking.providers.isRealtimeResting(realtime))
      return { speaking, rendered: prepared.rendered };
    await speaking.speech.close();
    return null;
  }

  private async open(userId: number, voice: VoiceSettings, temperature: number): Promise<AccountSpeaking> {
    const providers = await this.deps.speechOf(userId);
    const heard = new HeardVoices();
    return { ...(await openSpeaking(providers, voice, temperature, heard)), providers, heard };
  }

  /** Null where it cannot be recorded. A call without a recording is better than none. */
  private async recorderFor(call: {
    readonly userId: number;
    readonly id: number;
  }): Promise<CallRecorder | null> {
    const { recordingsDir } = this.deps;
    const onError = (error: unknown) => this.deps.onError(error);
    try {
      await mkdir(recordingsDir, { recursive: true, mode: 0o700 });
      const skip = canPackRecordings() ? await this.deps.recordingSkip() : 'no_encoder';
      if (skip === null) return new CallRecorder(recordingsDir, call.id, onError);
      this.deps.onRecordingSkipped(call, skip);
    } catch (error) {
      onError(error);
    }
    return null;
  }
}
