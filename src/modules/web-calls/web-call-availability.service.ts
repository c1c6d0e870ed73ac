import { Injectable } from '@nestjs/common';
import type { DomainError } from '../../common/errors/domain-error.js';
import { ParallelCallsLimitError, VisitorCallsLimitError } from '../calls/calls.errors.js';
import { VoiceProcessesService } from '../voice-workers/voice-processes.service.js';
import { VoiceReadinessService, type VoiceState } from '../voice-workers/voice-readiness.service.js';
import { WEB_CARRIER } from './web-carrier.js';
import { NoVoiceProcessError, VoiceStartingError, WebCallsUnavailableError } from './web-calls.errors.js';

/** Whether a process of this installation takes calls from browsers. */
@Injectable()
export class WebCallAvailabilityService {
  constructor(
    private readonly voice: VoiceProcessesService,
    private readonly readiness: VoiceReadinessService,
  ) {}

  /** Whether a process takes calls, or is about to: a page waits for it. */
  async isExpected(): Promise<boolean> {
    return ['ready', 'starting'].includes(await this.readiness.state());
  }

  /** A voice process is chosen when the browser connects; here it is seen that there is one. */
  async check(): Promise<void> {
    if ((await this.voice.countPlaces(WEB_CARRIER)) > 0) return;
    throw refusalFor(await this.readiness.state());
  }

  /** The same for a visitor, within the share of visitors. */
  async checkForVisitor(): Promise<void> {
    if ((await this.voice.countVisitorPlaces(WEB_CARRIER)) > 0) return;
    await this.check();
    throw new VisitorCallsLimitError();
  }
}

/** No refusal is final while a process may come. */
function refusalFor(state: VoiceState): DomainError {
  switch (state) {
    case 'ready':
      return new ParallelCallsLimitError('platform', 0);
    case 'starting':
      return new VoiceStartingError();
    case 'absent':
      return new NoVoiceProcessError();
    case 'none':
      return new WebCallsUnavailableError();
  }
}
