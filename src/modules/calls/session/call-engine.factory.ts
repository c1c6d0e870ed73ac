import { Injectable } from '@nestjs/common';
import { SystemClock } from '../../../common/time/clock.js';
import { ChatConfig, SecurityConfig, TelephonyConfig } from '../../../config/config.js';
import { ChatModelRegistry } from '../../../providers/llm/chat-model-registry.js';
import type { CallLine } from '../../../providers/telephony/call-carrier.js';
import { type ResolveSipTarget, sipTargetResolver } from '../../../providers/telephony/sip-target.js';
import type { CallEngine } from '../../../runtime/call/call-engine.js';
import { TalkCallEngine } from '../../../runtime/call/talk-call-engine.js';
import { TextTalks } from '../../../runtime/call/text-talks.js';

/** Makes the engine that fits what goes over the carrier's lines. */
@Injectable()
export class CallEngineFactory {
  private readonly resolveSipTarget: ResolveSipTarget;

  constructor(
    private readonly models: ChatModelRegistry,
    private readonly limits: ChatConfig,
    private readonly telephony: TelephonyConfig,
    security: SecurityConfig,
  ) {
    this.resolveSipTarget = sipTargetResolver(security.egressAllowCidrs);
  }

  /**
   * @param line as one call may use it
   * @throws CallCarrierError `not-supported` where audio goes over the line
   */
  on(line: CallLine): CallEngine {
    const chatModel = this.models.select();
    const clock = new SystemClock(line.capabilities.speed);
    const { limits } = this;
    return new TalkCallEngine({
      line,
      talks: new TextTalks({ chatModel, clock, limits }),
      chatModel,
      clock,
      transferCountries: this.telephony.transferCountries,
      resolveSipTarget: this.resolveSipTarget,
    });
  }
}
