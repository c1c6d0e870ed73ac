import { Injectable } from '@nestjs/common';
import { type Clock, SystemClock } from '../../../common/time/clock.js';
import { ChatConfig, SecurityConfig, TelephonyConfig } from '../../../config/config.js';
import { ChatModelRegistry } from '../../../providers/llm/chat-model-registry.js';
import { CallCarrier, type CallLine } from '../../../providers/telephony/call-carrier.js';
import { type ResolveSipTarget, sipTargetResolver } from '../../../providers/telephony/sip-target.js';
import type { CallEngine } from '../../../runtime/call/call-engine.js';
import { TextCallEngine } from '../../../runtime/call/text-call-engine.js';

/** Makes the engine that fits what goes over the carrier's lines. */
@Injectable()
export class CallEngineFactory {
  private readonly clock: Clock;
  private readonly resolveSipTarget: ResolveSipTarget;

  constructor(
    private readonly models: ChatModelRegistry,
    private readonly limits: ChatConfig,
    private readonly telephony: TelephonyConfig,
    security: SecurityConfig,
    carrier: CallCarrier,
  ) {
    this.clock = new SystemClock(carrier.capabilities.speed);
    this.resolveSipTarget = sipTargetResolver(security.egressAllowCidrs);
  }

  /**
   * @param line as one call may use it
   * @throws CallCarrierError `not-supported` where audio goes over the line
   */
  on(line: CallLine): CallEngine {
    return new TextCallEngine({
      carrier: line,
      chatModel: this.models.select(),
      clock: this.clock,
      limits: this.limits,
      transferCountries: this.telephony.transferCountries,
      resolveSipTarget: this.resolveSipTarget,
    });
  }
}
