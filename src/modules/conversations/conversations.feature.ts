import type { Feature } from '../../feature.js';
import { ConversationsModule } from './conversations.module.js';
import { concludeConversationJob } from './endings/conclude-conversation.job.js';
import { endIdleConversationsJob } from './endings/end-idle-conversations.job.js';
import { sweepVisitorsJob } from './sweep-visitors.job.js';

export const conversationsFeature: Feature = {
  module: ConversationsModule,
  jobs: [concludeConversationJob, endIdleConversationsJob, sweepVisitorsJob],
  tags: [
    {
      name: 'Conversations',
      description: 'Chats with an assistant, by visitors, by its owner, or taken over by a person.',
    },
    { name: 'Automate', description: 'Switches for automations: whether the AI answers a conversation.' },
    { name: 'Widget', description: 'What a chat widget on a page of yours needs to know.' },
  ],
};
