import { Inject, Injectable } from '@nestjs/common';
import { MetricsService } from '../../../common/observability/metrics.service.js';
import { SipCallCarrier } from '../../../providers/telephony/sip/carrier/sip-call-carrier.js';
import { ServedTrunksService } from './served-trunks.service.js';

/** What `/metrics` says of SIP; nothing in an installation without it. */
@Injectable()
export class SipMetricsService {
  constructor(
    metrics: MetricsService,
    trunks: ServedTrunksService,
    @Inject(SipCallCarrier) carrier: SipCallCarrier | null,
  ) {
    if (!carrier) return;
    metrics.gauge({
      name: 'prosa_sip_trunks',
      help: 'SIP trunks this process serves, by how they stand at their operators; those without registration are none',
      labelNames: ['registration'],
      read: async () =>
        [...trunks.countByRegistration(carrier)].map(([registration, value]) => ({
          labels: { registration },
          value,
        })),
    });
    metrics.gauge({
      name: 'prosa_sip_trunks_unreachable',
      help: 'SIP trunks whose operators do not answer',
      labelNames: [],
      read: async () => [{ labels: {}, value: trunks.countUnreachable(carrier) }],
    });
    metrics.gauge({
      name: 'prosa_sip_calls',
      help: 'Calls over SIP trunks that have not ended',
      labelNames: ['direction'],
      read: async () =>
        Object.entries(carrier.callCounts).map(([direction, value]) => ({ labels: { direction }, value })),
    });
    metrics.total({
      name: 'prosa_sip_calls_ended_total',
      help: 'Calls over SIP trunks that have ended since the start, by outcome',
      labelNames: ['direction', 'outcome'],
      read: async () =>
        Object.entries(carrier.endCounts).flatMap(([direction, counts]) =>
          Object.entries(counts).map(([outcome, value]) => ({ labels: { direction, outcome }, value })),
        ),
    });
    metrics.total({
      name: 'prosa_sip_messages_total',
      help: 'SIP messages since the start: received, of these limited (refused unread) and malformed; unsent',
      labelNames: ['kind'],
      read: async () =>
        Object.entries(carrier.transportCounts ?? {}).map(([kind, value]) => ({ labels: { kind }, value })),
    });
  }
}
