import { afterAll, beforeAll } from '@jest/globals';
import { describeCallRules } from '../../test/conformance/call-rules.conformance.js';
import { audioOnSandbox } from '../../test/support/voice/audio-rules.js';
import { EngineTime } from '../../test/support/voice/engine-time.js';

beforeAll(() => EngineTime.start());
afterAll(() => EngineTime.stop());

describeCallRules('sound on the sandbox', await audioOnSandbox());
