import { sealedColumn } from '../../common/crypto/sealed-column.js';
import type { Feature } from '../../feature.js';
import { AssistantsModule } from './assistants.module.js';

export const assistantsFeature: Feature = {
  sealedColumns: [
    sealedColumn({
      table: 'assistants',
      column: 'sealed_calendar_keys',
      place: 'assistants.calendar_keys',
      whenLost: 'null',
    }),
  ],
  module: AssistantsModule,
  tags: [
    {
      name: 'Assistants',
      description: 'An assistant talks on calls and in chats, with a voice, a language, a prompt and tools.',
    },
    {
      name: 'Assistant reference data',
      description: 'What an assistant may be made of: languages, voices, models, providers.',
    },
    { name: 'Labels', description: 'Words that mark assistants; each may have several.' },
    {
      name: 'Assistant webhooks',
      description: 'Switches for what an assistant reports to your server. For payloads, see Webhooks.',
    },
  ],
};
