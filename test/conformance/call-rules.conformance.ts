import { afterAll, beforeEach, describe } from '@jest/globals';
import { CallRules, type CallRulesSubject } from './call-rules/call-rules.js';
import { describeAdoption, describeConversation } from './call-rules/conversation.js';
import { describeEnds, describeFailingModels } from './call-rules/ends.js';
import { describeGatekeepers } from './call-rules/gatekeepers.js';
import { describeHandoffs } from './call-rules/handoffs.js';
import { describeKeypad } from './call-rules/keypad.js';
import { describeSilence, describeVoicemail } from './call-rules/silence.js';
import { describeTransfers } from './call-rules/transfers.js';
import { describeWarmTransfers } from './call-rules/warm-transfers.js';

/** Defines the tests that every AssistantSession passes, on every kind of line: each rule of a call, from the far end's view. */
export function describeCallRules(name: string, subject: CallRulesSubject): void {
  describe(`the rules of a call, with ${name}`, () => {
    const rules = new CallRules(subject);
    beforeEach(() => rules.begin());
    afterAll(() => rules.close());
    describeConversation(rules);
    describeAdoption(rules);
    describeHandoffs(rules);
    describeEnds(rules);
    describeSilence(rules);
    describeVoicemail(rules);
    if (subject.tellsGatekeepers) describeGatekeepers(rules);
    describeKeypad(rules);
    describeTransfers(rules);
    describeWarmTransfers(rules);
    describeFailingModels(rules);
  });
}
