import { Injectable } from '@nestjs/common';
import { VoiceConfig } from '../../config/config.js';
import { VoiceProcessesService } from './voice-processes.service.js';

/** A voice process that this one supervises is restarted at once, and is ready within this time. */
const START_MS = 60_000;

/**
 * - `ready`: a voice process is there, which may have no place for one more call
 * - `starting`: one is being loaded
 * - `absent`: there is none now, and there should be
 * - `none`: this installation has no voice role, as far as is known
 */
export type VoiceState = 'ready' | 'starting' | 'absent' | 'none';

/** Tells apart why no voice process takes a call. */
@Injectable()
export class VoiceReadinessService {
  constructor(
    private readonly processes: VoiceProcessesService,
    private readonly config: VoiceConfig,
  ) {}

  async state(): Promise<VoiceState> {
    const { isThere, isStarting, isKnown, lastHeardMs } = await this.processes.presence();
    if (isStarting) return 'starting';
    if (isThere) return 'ready';
    const hasForks = this.config.forks > 0;
    const sinceMs = Math.min(lastHeardMs ?? Infinity, process.uptime() * 1_000);
    if (hasForks && sinceMs < START_MS) return 'starting';
    return hasForks || isKnown ? 'absent' : 'none';
  }
}
