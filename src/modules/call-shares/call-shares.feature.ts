import type { Feature } from '../../feature.js';
import { CallSharesModule } from './call-shares.module.js';

export const callSharesFeature: Feature = {
  module: CallSharesModule,
  errorExamples: [
    { operation: /^post \/api\/user\/calls\/\{id\}\/share$/, status: 409, text: 'call_shares.off' },
    {
      operation: /\/api\/user\/calls\/\{id\}\/shares\/\{shareId\}$/,
      status: 404,
      text: 'call_shares.not_found',
    },
    { operation: /\/api\/shared-calls/, status: 404, text: 'call_shares.no_call' },
  ],
};
