import { Injectable } from '@nestjs/common';
import { SystemClock } from '../../common/time/clock.js';
import { CallsConfig, ChatConfig, SecurityConfig, TelephonyConfig } from '../../config/config.js';
import { ChatModelRegistry } from '../../providers/llm/chat-model-registry.js';
import type { CallLine } from '../../providers/telephony/call/call-line.js';
import { type ResolveSipTarget, sipTargetResolver } from '../../providers/telephony/sip-target.js';
import { CallController } from '../../runtime/call/call-controller.js';
import { SessionFactories } from '../../runtime/call/session-factories.js';
import type { AssistantSessionFactory } from '../../runtime/call/session/assistant-session.js';
import { TextSessionFactory } from '../../runtime/call/text/text-session-factory.js';
import type { CallAssistant } from '../active-calls/call-assistants.service.js';
import type { FunctionCallNotes } from '../calls/turns/call-function-calls.service.js';
import { CallSetupService } from './call-setup.service.js';
import type { AnsweredLine, MonitoredCall } from './monitored-call.js';

/** Makes the controller of each answered call. */
@Injectable()
export class CallControllerFactory {
  private readonly resolveSipTarget: ResolveSipTarget;

  constructor(
    private readonly setups: CallSetupService,
    private readonly models: ChatModelRegistry,
    private readonly limits: ChatConfig,
    private readonly telephony: TelephonyConfig,
    private readonly calls: CallsConfig,
    private readonly factories: SessionFactories,
    security: SecurityConfig,
  ) {
    this.resolveSipTarget = sipTargetResolver(security.egressAllowCidrs);
  }

  /**
   * @returns the controller, and the record of the tools that it runs
   * @throws CallCarrierError `not-supported` for a line of audio in a process that cannot speak
   */
  async make(
    answered: MonitoredCall,
    assistant: CallAssistant,
    answeredLine: AnsweredLine,
  ): Promise<{ readonly controller: CallController; readonly notes: FunctionCallNotes }> {
    const { line } = answered.lease;
    const { userId } = answered.call;
    const { setup, notes } = await this.setups.ofAnswered(answered, assistant, answeredLine);
    const controller = new CallController(setup, {
      line,
      sessions: this.sessionsOn(line),
      userId,
      chatModel: await this.models.select(userId),
      clock: new SystemClock(line.capabilities.speed),
      maxHoldMs: this.calls.maxHoldSeconds * 1_000,
      transferCountries: this.telephony.transferCountries,
      resolveSipTarget: this.resolveSipTarget,
    });
    return { controller, notes };
  }

  /**
   * Renders the greeting while the call rings, where there is a voice.
   *
   * @throws CallCarrierError as `make` does
   */
  prepare(ringing: MonitoredCall, assistant: CallAssistant): void {
    this.sessionsOn(ringing.lease.line).prepare(this.setups.ofRinging(ringing, assistant));
  }

  private sessionsOn({ media, capabilities }: CallLine): AssistantSessionFactory {
    return this.factories.on(media, () => {
      const clock = new SystemClock(capabilities.speed);
      return new TextSessionFactory({ clock, limits: this.limits });
    });
  }
}
