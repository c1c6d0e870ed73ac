import type { Feature } from '../../feature.js';
import { AccountsModule } from './accounts.module.js';

export const accountsFeature: Feature = {
  module: AccountsModule,
  tags: [
    { name: 'Account', description: 'Who the caller is.' },
    {
      name: 'Members',
      description: 'People who work in the account, each with a role and a password of their own.',
    },
  ],
};
