import { Injectable } from '@nestjs/common';
import { failpoint } from '../../../common/failpoints.js';
import { Logger } from '../../../common/observability/logger.js';
import { inCallSpan } from '../../../common/observability/tracing.js';
import type { CallCarrierError } from '../../../providers/telephony/call-carrier-error.js';
import { CallCarriers } from '../../../providers/telephony/call-carriers.js';
import { CallMetricsService } from '../../active-calls/call-metrics.service.js';
import { CarrierBreakerService } from '../../active-calls/carrier-breaker/carrier-breaker.service.js';
import type { RunningCall } from '../../active-calls/running-call.js';

/** Requests to carriers for new calls, through the circuit breaker, with their spans and metrics. */
@Injectable()
export class DialRequestsService {
  constructor(
    private readonly carriers: CallCarriers,
    private readonly breaker: CarrierBreakerService,
    private readonly metrics: CallMetricsService,
    private readonly logger: Logger,
  ) {}

  /** Returns the carrier's id of the call. @throws CallCarrierError */
  async send({ call, active }: RunningCall): Promise<string> {
    const carrier = this.carriers.named(active.carrier);
    const placing = inCallSpan(call.id, 'call.place', { 'prosa.carrier': carrier.family }, () =>
      this.breaker.pass(carrier.name, () =>
        carrier.place({
          key: call.attemptId ?? '',
          from: call.assistantPhoneNumber ?? '',
          to: call.clientPhoneNumber ?? '',
          phoneNumberId: active.phoneNumberId,
          ringingTimeoutMs: active.ringingSeconds * 1_000,
        }),
      ),
    );
    const [{ callId }] = await Promise.all([placing, failpoint('after-send-before-reply')]);
    this.metrics.dialled(carrier.family, 'sent');
    return callId;
  }

  reportFailure({ call, active }: RunningCall, error: CallCarrierError): void {
    const { code, sent } = error;
    this.metrics.dialled(this.carriers.named(active.carrier).family, code);
    this.logger.warn('carrier did not take a call', { callId: call.id, code, sent, err: error });
  }
}
