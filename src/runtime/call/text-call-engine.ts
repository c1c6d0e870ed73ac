import { CallCarrierError } from '../../providers/telephony/call-carrier-error.js';
import { CallEngine, type CallResult, type EngineCall } from './call-engine.js';
import { TextCall } from './text-call.js';
import type { TextCallDependencies } from './text-call-dependencies.js';

/** Talks on carriers whose media is text: with the scripted people of the sandbox, turn by turn. */
export class TextCallEngine extends CallEngine {
  private readonly deps: TextCallDependencies;

  /** @throws CallCarrierError `not-supported` for a carrier of audio */
  constructor({ carrier, ...others }: Omit<TextCallDependencies, 'textLine'>) {
    super();
    const { media } = carrier;
    if (!('text' in media)) throw new CallCarrierError('not-supported', 'no');
    this.deps = { carrier, textLine: media.text, ...others };
  }

  run(call: EngineCall): Promise<CallResult> {
    return new TextCall(call, this.deps).run();
  }
}
