import { AccountsAndBilling1763600000001 } from './migrations/1763600000001-accounts-and-billing.js';
import { Tools1763600000002 } from './migrations/1763600000002-tools.js';
import { FoldersKnowledgebasesPhoneNumbers1763600000003 } from './migrations/1763600000003-folders-knowledgebases-phone-numbers.js';
import { Assistants1763600000010 } from './migrations/1763600000010-assistants.js';
import { Conversations1763600000020 } from './migrations/1763600000020-conversations.js';
import { Calls1763600000030 } from './migrations/1763600000030-calls.js';

/** In the order they are applied. */
export const migrations = [
  AccountsAndBilling1763600000001,
  Tools1763600000002,
  FoldersKnowledgebasesPhoneNumbers1763600000003,
  Assistants1763600000010,
  Conversations1763600000020,
  Calls1763600000030,
];
