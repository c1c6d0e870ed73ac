import { Injectable } from '@nestjs/common';
import { SystemClock } from '../../common/time/clock.js';
import { CallsConfig, ChatConfig, SecurityConfig, TelephonyConfig } from '../../config/config.js';
import { ChatModelRegistry } from '../../providers/llm/chat-model-registry.js';
import type { CallLine } from '../../providers/telephony/call-carrier.js';
import { type ResolveSipTarget, sipTargetResolver } from '../../providers/telephony/sip-target.js';
import { SessionFactories } from '../../runtime/call/session-factories.js';
import type {
  AssistantSessionFactory,
  SessionPreparation,
} from '../../runtime/call/session/assistant-session.js';
import type { CallControllerDependencies } from '../../runtime/call/state/call-controller-dependencies.js';
import { TextSessionFactory } from '../../runtime/call/text/text-session-factory.js';

/** Provides what a CallController needs on a line of the carrier. */
@Injectable()
export class CallEngineFactory {
  private readonly resolveSipTarget: ResolveSipTarget;

  constructor(
    private readonly models: ChatModelRegistry,
    private readonly limits: ChatConfig,
    private readonly telephony: TelephonyConfig,
    private readonly calls: CallsConfig,
    private readonly talks: SessionFactories,
    security: SecurityConfig,
  ) {
    this.resolveSipTarget = sipTargetResolver(security.egressAllowCidrs);
  }

  /**
   * @param line as one call may use it
   * @param userId the account whose call it is
   * @throws CallCarrierError `not-supported` for a line of audio in a process that cannot speak
   */
  async on(line: CallLine, userId: number): Promise<CallControllerDependencies> {
    const clock = new SystemClock(line.capabilities.speed);
    return {
      line,
      talks: this.talksOn(line),
      userId,
      chatModel: await this.models.select(userId),
      clock,
      maxHoldMs: this.calls.maxHoldSeconds * 1_000,
      transferCountries: this.telephony.transferCountries,
      resolveSipTarget: this.resolveSipTarget,
    };
  }

  /**
   * While it rings: has the first words rendered, where there is a voice.
   *
   * @throws CallCarrierError as `on` does
   */
  prepare(line: CallLine, talk: SessionPreparation): void {
    this.talksOn(line).prepare(talk);
  }

  private talksOn({ media, capabilities }: CallLine): AssistantSessionFactory {
    return this.talks.on(media, () => {
      const clock = new SystemClock(capabilities.speed);
      return new TextSessionFactory({ clock, limits: this.limits });
    });
  }
}
