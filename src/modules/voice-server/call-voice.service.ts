import {
  Injectable,
  type OnApplicationBootstrap,
  type OnModuleDestroy,
  type OnModuleInit,
} from '@nestjs/common';
import { Logger } from '../../common/observability/logger.js';
import { ChatConfig, ServerConfig } from '../../config/config.js';
import { SpeechProviderRegistry } from '../../providers/speech/speech-provider-registry.js';
import { SessionFactories } from '../../runtime/call/session-factories.js';
import type {
  AssistantSession,
  AssistantSessionFactory,
  SessionPreparation,
  SessionSetup,
} from '../../runtime/call/session/assistant-session.js';
import { RecordingSpoolService } from '../call-sessions/recordings/recording-spool.service.js';
import type { VoiceSessionFactory } from '../../voice/voice-session-factory.js';

/** The process has started by then, and the engine is loaded: its ears take seconds of the processor more. */
const WARM_UP_AFTER_MS = 3_000;

/** Lets this process speak on calls of audio. The engine is loaded at the end of the start, or with the first of them. */
@Injectable()
export class CallVoiceService
  implements AssistantSessionFactory, OnModuleInit, OnApplicationBootstrap, OnModuleDestroy
{
  private engine: Promise<VoiceSessionFactory> | null = null;
  private warmUp: NodeJS.Timeout | null = null;

  constructor(
    private readonly factories: SessionFactories,
    private readonly speech: SpeechProviderRegistry,
    private readonly limits: ChatConfig,
    private readonly server: ServerConfig,
    private readonly recordings: RecordingSpoolService,
    private readonly logger: Logger,
  ) {}

  onModuleInit(): void {
    const { installation } = this.speech;
    if (!this.server.roles.has('voice') || !installation.canSpeak()) return;
    this.factories.speakWith(
      this,
      async (setup) => {
        const engine = await this.load();
        // What accounts may not know is said by no provider of theirs.
        return engine.announce(setup, installation, installation.offered('synthesizer')[0] ?? '');
      },
      async (...lines) => {
        const { joinLines } = await import('../../voice/line/join-lines.js');
        await joinLines(...lines);
      },
    );
  }

  onApplicationBootstrap(): void {
    if (!this.factories.canSpeak) return;
    this.warmUp = setTimeout(() => void this.prepareAll(), WARM_UP_AFTER_MS).unref();
  }

  async onModuleDestroy(): Promise<void> {
    if (this.warmUp) clearTimeout(this.warmUp);
    const engine = await this.engine?.catch(() => null);
    await engine?.close();
  }

  /** Resolves when the engine is loaded, so that the first call need not wait for it; a failure is logged. */
  async loaded(): Promise<void> {
    if (!this.factories.canSpeak) return;
    try {
      await this.load();
    } catch (err) {
      this.logger.warn('the voice was not loaded ahead of the first call', { err });
    }
  }

  prepare(setup: SessionPreparation): void {
    this.load()
      .then((engine) => engine.prepare(setup))
      .catch((err: unknown) => this.logger.warn('first words not prepared', { callId: setup.callId, err }));
  }

  async make(setup: SessionSetup): Promise<AssistantSession> {
    const engine = await this.load();
    return engine.make(setup);
  }

  /** What the first call would wait for: the engine, and the ears of the sandbox where they are the only ones. */
  private async prepareAll(): Promise<void> {
    await this.loaded();
    try {
      const [recognizer] = this.speech.installation.offered('recognizer');
      if (recognizer === this.speech.sandbox.code) await this.speech.sandbox.ready();
      this.logger.info('voice and ears are loaded');
    } catch (err) {
      this.logger.warn('the ears of the sandbox were not loaded ahead of the first call', { err });
    }
  }

  private load(): Promise<VoiceSessionFactory> {
    return (this.engine ??= this.open().catch((error: unknown) => {
      this.engine = null;
      throw error;
    }));
  }

  private async open(): Promise<VoiceSessionFactory> {
    const { VoiceSessionFactory } = await import('../../voice/voice-session-factory.js');
    return new VoiceSessionFactory({
      limits: this.limits,
      speechOf: (userId) => this.speech.of(userId),
      recordingsDir: this.recordings.folder,
      recordingSkip: () => this.recordings.findSkip(),
      onRecordingSkipped: (call, reason) => void this.recordings.skipped(call, reason),
      onError: (err) => this.logger.warn('talk disturbed', { err }),
    });
  }
}
