import { AccountsAndBilling1763600000001 } from './migrations/1763600000001-accounts-and-billing.js';
import { Tools1763600000002 } from './migrations/1763600000002-tools.js';
import { FoldersKnowledgebasesPhoneNumbers1763600000003 } from './migrations/1763600000003-folders-knowledgebases-phone-numbers.js';
import { Documents1763600000007 } from './migrations/1763600000007-documents.js';
import { Assistants1763600000010 } from './migrations/1763600000010-assistants.js';
import { Conversations1763600000020 } from './migrations/1763600000020-conversations.js';

/** In the order they are applied. */
export const migrations = [
  AccountsAndBilling1763600000001,
  Tools1763600000002,
  FoldersKnowledgebasesPhoneNumbers1763600000003,
  Documents1763600000007,
  Assistants1763600000010,
  Conversations1763600000020,
];
