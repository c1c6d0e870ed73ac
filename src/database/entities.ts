import { Plan } from '../modules/accounts/plan.entity.js';
import { User } from '../modules/accounts/user.entity.js';
import { ApiKey } from '../modules/api-keys/api-key.entity.js';
import { Session } from '../modules/auth/session.entity.js';
import { AssistantTool } from '../modules/assistants/assistant-tool.entity.js';
import { Assistant } from '../modules/assistants/assistant.entity.js';
import { Hold } from '../modules/billing/hold.entity.js';
import { LedgerEntry } from '../modules/billing/ledger-entry.entity.js';
import { Wallet } from '../modules/billing/wallet.entity.js';
import { Conversation } from '../modules/conversations/conversation.entity.js';
import { Message } from '../modules/conversations/message.entity.js';
import { Folder } from '../modules/folders/folder.entity.js';
import { DocumentChunk } from '../modules/knowledgebases/document-chunk.entity.js';
import { DocumentSource } from '../modules/knowledgebases/document-source.entity.js';
import { Document } from '../modules/knowledgebases/document.entity.js';
import { FileCleanup } from '../modules/knowledgebases/file-cleanup.entity.js';
import { Knowledgebase } from '../modules/knowledgebases/knowledgebase.entity.js';
import { PhoneNumber } from '../modules/phone-numbers/phone-number.entity.js';
import { Tool } from '../modules/tools/tool.entity.js';

/** Every table that code maps. A new entity is added here and gets a migration. */
export const entities = [
  ApiKey,
  Document,
  DocumentChunk,
  DocumentSource,
  FileCleanup,
  Assistant,
  AssistantTool,
  Conversation,
  Folder,
  Hold,
  Knowledgebase,
  LedgerEntry,
  Message,
  PhoneNumber,
  Plan,
  Session,
  Tool,
  User,
  Wallet,
];
