import { Injectable } from '@nestjs/common';
import { Logger } from '../../../common/observability/logger.js';
import type { SpokenVoice } from '../../../runtime/call/session/session-facts.js';
import { AssistantSnapshotsService } from '../../assistants/assistant-snapshots.service.js';
import type { Call } from '../call.entity.js';
import { CallsRepository } from '../calls.repository.js';
import type { CallVoice } from './call-voice.js';

/** Keeps on each call which voice was heard on it, by the names of the catalogue. */
@Injectable()
export class CallVoicesService {
  constructor(
    private readonly assistants: AssistantSnapshotsService,
    private readonly calls: CallsRepository,
    private readonly logger: Logger,
  ) {}

  /** Returns at once, and never fails: the call does not wait for it. */
  heard({ id: callId, userId }: Pick<Call, 'id' | 'userId'>, spoken: SpokenVoice): void {
    this.calls
      .noteVoice(userId, callId, this.voiceOf(spoken))
      .catch((err: unknown) => this.logger.warn('voice of a call not noted', { callId, err }));
  }

  private voiceOf({ provider, providerName, code, reason, wanted }: SpokenVoice): CallVoice {
    const voice = this.assistants.voiceNamed(provider, code) ?? { id: null, name: providerName };
    const isOwn = provider === wanted.provider && code === wanted.code;
    if (isOwn || reason === null) return { ...voice, stood_in_for: null, reason: null };
    const own = this.assistants.voiceNamed(wanted.provider, wanted.code) ?? {
      id: null,
      name: wanted.provider,
    };
    return { ...voice, stood_in_for: own, reason };
  }
}
