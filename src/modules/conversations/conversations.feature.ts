import type { Feature } from '../../feature.js';
import { VisitorsModule } from '../visitors/visitors.module.js';
import { ConversationsModule } from './conversations.module.js';
import { concludeConversationJob } from './endings/conclude-conversation.job.js';
import { ConcludeConversationProcessor } from './endings/conclude-conversation.processor.js';
import { endIdleConversationsJob } from './endings/end-idle-conversations.job.js';
import { EndIdleConversationsProcessor } from './endings/end-idle-conversations.processor.js';
import { sweepVisitorsJob } from './sweep-visitors.job.js';
import { SweepVisitorsProcessor } from './sweep-visitors.processor.js';

export const conversationsFeature: Feature = {
  module: ConversationsModule,
  jobs: [
    { definition: concludeConversationJob, processor: ConcludeConversationProcessor },
    { definition: endIdleConversationsJob, processor: EndIdleConversationsProcessor },
    { definition: sweepVisitorsJob, processor: SweepVisitorsProcessor },
  ],
  workerModules: [VisitorsModule],
  tags: [
    {
      name: 'Conversations',
      description: 'Chats with an assistant, by visitors, by its owner, or taken over by a person.',
    },
    { name: 'Automate', description: 'Switches for automations: whether the AI answers a conversation.' },
    { name: 'Widget', description: 'What a chat widget on a page of yours needs to know.' },
  ],
};
