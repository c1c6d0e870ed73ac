import { Injectable } from '@nestjs/common';
import { HealthIndicatorService } from '@nestjs/terminus';
import { DrainRegistry } from '../../../common/http/connections/drain-registry.js';
import { CarrierBreakerService } from '../../active-calls/carrier-breaker/carrier-breaker.service.js';
import { type VoiceState, VoiceReadinessService } from '../../voice-workers/voice-readiness.service.js';
import { VoiceProcessesService } from '../../voice-workers/voice-processes.service.js';

/** Why no voice process takes a call. A SIP trunk is answered by none then, and its operator's own fallback applies. */
const VOICE_TROUBLE: Partial<Record<VoiceState, string>> = {
  starting: 'voice processes are starting',
  absent: 'no voice process runs',
};

/** Whether calls can be made. Never down: the process still serves chats and pages, and no other process has a better carrier. */
@Injectable()
export class CallsIndicator {
  constructor(
    private readonly indicators: HealthIndicatorService,
    private readonly breaker: CarrierBreakerService,
    private readonly processes: VoiceProcessesService,
    private readonly readiness: VoiceReadinessService,
    private readonly drains: DrainRegistry,
  ) {}

  async carrier() {
    // The state of the carrier is in the database. Without it the check of the database fails.
    const [open] = await this.breaker.findAllOpen().catch(() => []);
    const indicator = this.indicators.check('carrier');
    return open
      ? indicator.up({ degraded: true, reason: open.reason, since: open.openedAt.toISOString() })
      : indicator.up({ degraded: false });
  }

  /** Whether voice processes are there, for one that is none itself. An installation without voice lacks nothing. */
  async voiceElsewhere() {
    // Without the database, its own check fails.
    const state = await this.readiness.state().catch(() => 'none' as const);
    const reason = VOICE_TROUBLE[state];
    const indicator = this.indicators.check('voice');
    return reason === undefined
      ? indicator.up({ degraded: false })
      : indicator.up({ degraded: true, reason });
  }

  /** Load of a voice process. Without speech providers it takes no calls. */
  voice() {
    const { own } = this.processes;
    const indicator = this.indicators.check('voice');
    if (!own) return indicator.up({ degraded: true, reason: 'no provider of speech' });
    const { capacity, load, overloaded } = own;
    const reason = overloaded ? { reason: 'overloaded' } : {};
    return indicator.up({
      degraded: overloaded,
      ...reason,
      calls: this.drains.inProgress('calls'),
      capacity,
      load,
    });
  }
}
