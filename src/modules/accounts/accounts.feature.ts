import type { Feature } from '../../feature.js';
import { AccountsModule } from './accounts.module.js';

export const accountsFeature: Feature = {
  module: AccountsModule,
  tags: [{ name: 'Account', description: 'Who the caller is.' }],
};
