import { Injectable } from '@nestjs/common';
import { SystemClock } from '../../common/time/clock.js';
import { CallsConfig, ChatConfig, SecurityConfig, TelephonyConfig } from '../../config/config.js';
import { ChatModelRegistry } from '../../providers/llm/chat-model-registry.js';
import type { CallLine } from '../../providers/telephony/call-carrier.js';
import { type ResolveSipTarget, sipTargetResolver } from '../../providers/telephony/sip-target.js';
import { CallController } from '../../runtime/call/call-controller.js';
import { SessionFactories } from '../../runtime/call/session-factories.js';
import type {
  AssistantSessionFactory,
  SessionPreparation,
} from '../../runtime/call/session/assistant-session.js';
import type { CallSetup } from '../../runtime/call/session/call-setup.js';
import { TextSessionFactory } from '../../runtime/call/text/text-session-factory.js';

/** Makes the controller of each answered call. */
@Injectable()
export class CallControllerFactory {
  private readonly resolveSipTarget: ResolveSipTarget;

  constructor(
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
   * @param line as one call may use it
   * @param userId the account whose call it is
   * @throws CallCarrierError `not-supported` for a line of audio in a process that cannot speak
   */
  async make(setup: CallSetup, line: CallLine, userId: number): Promise<CallController> {
    return new CallController(setup, {
      line,
      sessions: this.sessionsOn(line),
      userId,
      chatModel: await this.models.select(userId),
      clock: new SystemClock(line.capabilities.speed),
      maxHoldMs: this.calls.maxHoldSeconds * 1_000,
      transferCountries: this.telephony.transferCountries,
      resolveSipTarget: this.resolveSipTarget,
    });
  }

  /**
   * While it rings: has the first words rendered, where there is a voice.
   *
   * @throws CallCarrierError as `make` does
   */
  prepare(line: CallLine, setup: SessionPreparation): void {
    this.sessionsOn(line).prepare(setup);
  }

  private sessionsOn({ media, capabilities }: CallLine): AssistantSessionFactory {
    return this.factories.on(media, () => {
      const clock = new SystemClock(capabilities.speed);
      return new TextSessionFactory({ clock, limits: this.limits });
    });
  }
}
