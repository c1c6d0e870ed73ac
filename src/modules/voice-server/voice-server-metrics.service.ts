import { Injectable } from '@nestjs/common';
import { MetricsService } from '../../common/observability/metrics.service.js';
import { FRAME_MS } from '@prosa/audio';
import { lineClock } from '../../providers/telephony/line-clock.js';
import { CallRunnerService } from '../call-sessions/call-runner.service.js';
import { VoiceProcessesService } from '../voice-workers/voice-processes.service.js';

/** Shows operators how much of this voice process is in use. */
@Injectable()
export class VoiceServerMetricsService {
  constructor(
    private readonly metrics: MetricsService,
    private readonly runner: CallRunnerService,
    private readonly processes: VoiceProcessesService,
  ) {}

  register(): void {
    const gauge = (name: string, help: string, valueOf: () => number | undefined) =>
      this.metrics.gauge({
        name,
        help,
        labelNames: [],
        read: () => Promise.resolve([{ labels: {}, value: valueOf() ?? 0 }]),
      });
    gauge('prosa_voice_calls', 'Calls whose lines live in this process', () => this.runner.ownLines);
    gauge('prosa_voice_capacity', 'Calls with sound this process takes', () => this.processes.own?.capacity);
    gauge('prosa_voice_load', 'How busy the event loop was, 0 to 1', () => this.processes.own?.load);
    gauge(
      'prosa_voice_lateness_seconds',
      'How late timers were in the last second, on average; so late is the sound that is sent',
      () => this.processes.latenessMs / 1_000,
    );
    gauge(
      'prosa_voice_overloaded',
      'Whether this process takes no more calls until it keeps up with those it has',
      () => Number(this.processes.own?.overloaded ?? false),
    );
    this.metrics.total({
      name: 'prosa_voice_sound_lost_seconds_total',
      help: 'Sound that each line gave up since the start, as something held the process up for longer than 60 ms',
      labelNames: [],
      read: () => Promise.resolve([{ labels: {}, value: (lineClock.skippedTicks * FRAME_MS) / 1_000 }]),
    });
    gauge('prosa_voice_draining', 'Whether this process takes no more calls', () =>
      Number(this.processes.own?.draining ?? true),
    );
  }
}
