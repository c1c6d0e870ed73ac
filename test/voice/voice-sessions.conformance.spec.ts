import { afterAll, beforeAll } from '@jest/globals';
import { describeCallRules } from '../conformance/call-rules.conformance.js';
import { audioOnSandbox } from '../support/voice/audio-rules.js';
import { EngineTime } from '../support/voice/engine-time.js';

beforeAll(() => EngineTime.start());
afterAll(() => EngineTime.stop());

describeCallRules('sound on the sandbox', await audioOnSandbox());
