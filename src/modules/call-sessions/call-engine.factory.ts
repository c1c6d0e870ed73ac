import { Injectable } from '@nestjs/common';
import { SystemClock } from '../../common/time/clock.js';
import { CallsConfig, ChatConfig, SecurityConfig, TelephonyConfig } from '../../config/config.js';
import { ChatModelRegistry } from '../../providers/llm/chat-model-registry.js';
import type { CallLine } from '../../providers/telephony/call-carrier.js';
import { type ResolveSipTarget, sipTargetResolver } from '../../providers/telephony/sip-target.js';
import type { CallEngine } from '../../runtime/call/session/call-setup.js';
import { CallTalks } from '../../runtime/call/session-factories.js';
import type { TalkFactory, TalkPreparation } from '../../runtime/call/session/assistant-session.js';
import { TalkCallEngine } from '../../runtime/call/talk-call-engine.js';
import { TextTalks } from '../../runtime/call/text/text-session-factory.js';

/** Makes the engine that fits what goes over the carrier's lines. */
@Injectable()
export class CallEngineFactory {
  private readonly resolveSipTarget: ResolveSipTarget;

  constructor(
    private readonly models: ChatModelRegistry,
    private readonly limits: ChatConfig,
    private readonly telephony: TelephonyConfig,
    private readonly calls: CallsConfig,
    private readonly talks: CallTalks,
    security: SecurityConfig,
  ) {
    this.resolveSipTarget = sipTargetResolver(security.egressAllowCidrs);
  }

  /**
   * @param line as one call may use it
   * @param userId the account whose call it is
   * @throws CallCarrierError `not-supported` for a line of audio in a process that cannot speak
   */
  async on(line: CallLine, userId: number): Promise<CallEngine> {
    const clock = new SystemClock(line.capabilities.speed);
    return new TalkCallEngine({
      line,
      talks: this.talksOn(line),
      userId,
      chatModel: await this.models.select(userId),
      clock,
      maxHoldMs: this.calls.maxHoldSeconds * 1_000,
      transferCountries: this.telephony.transferCountries,
      resolveSipTarget: this.resolveSipTarget,
    });
  }

  /**
   * While it rings: has the first words rendered, where there is a voice.
   *
   * @throws CallCarrierError as `on` does
   */
  prepare(line: CallLine, talk: TalkPreparation): void {
    this.talksOn(line).prepare(talk);
  }

  private talksOn({ media, capabilities }: CallLine): TalkFactory {
    return this.talks.on(media, () => {
      const clock = new SystemClock(capabilities.speed);
      return new TextTalks({ clock, limits: this.limits });
    });
  }
}
