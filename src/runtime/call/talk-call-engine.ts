import { CallEngine, type CallResult, type EngineCall } from './call-engine.js';
import { CallLife } from './call-life.js';
import type { CallLifeDependencies } from './call-life-dependencies.js';

/** Runs calls of any media: their life is the same, and the talk is made by the factory of the media. */
export class TalkCallEngine extends CallEngine {
  constructor(private readonly deps: CallLifeDependencies) {
    super();
  }

  run(call: EngineCall): Promise<CallResult> {
    return new CallLife(call, this.deps).run();
  }
}
