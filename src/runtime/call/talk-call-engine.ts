import { CallEngine, type CallResult, type EngineCall } from './session/call-setup.js';
import { CallLife } from './call-controller.js';
import type { CallLifeDependencies } from './state/call-controller-dependencies.js';

/** Runs calls of any media: their life is the same, and the talk is made by the factory of the media. */
export class TalkCallEngine extends CallEngine {
  constructor(private readonly deps: CallLifeDependencies) {
    super();
  }

  run(call: EngineCall): Promise<CallResult> {
    return new CallLife(call, this.deps).run();
  }
}
