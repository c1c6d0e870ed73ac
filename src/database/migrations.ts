import { AccountsAndBilling1763600000001 } from './migrations/1763600000001-accounts-and-billing.js';
import { Tools1763600000002 } from './migrations/1763600000002-tools.js';
import { FoldersKnowledgebasesPhoneNumbers1763600000003 } from './migrations/1763600000003-folders-knowledgebases-phone-numbers.js';
import { PhoneNumbers1763600000005 } from './migrations/1763600000005-phone-numbers.js';
import { Assistants1763600000010 } from './migrations/1763600000010-assistants.js';
import { Conversations1763600000020 } from './migrations/1763600000020-conversations.js';
import { Webhooks1763600000060 } from './migrations/1763600000060-webhooks.js';
import { IdleConversations1763600000061 } from './migrations/1763600000061-idle-conversations.js';

/** In the order they are applied. */
export const migrations = [
  AccountsAndBilling1763600000001,
  Tools1763600000002,
  FoldersKnowledgebasesPhoneNumbers1763600000003,
  PhoneNumbers1763600000005,
  Assistants1763600000010,
  Conversations1763600000020,
  Webhooks1763600000060,
  IdleConversations1763600000061,
];
