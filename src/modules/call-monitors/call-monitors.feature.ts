import type { Feature } from '../../feature.js';
import { CallMonitorsModule } from './call-monitors.module.js';
import { CallMonitorsVoiceModule } from './call-monitors-voice.module.js';

export const callMonitorsFeature: Feature = {
  module: CallMonitorsModule,
  voiceModules: [CallMonitorsVoiceModule],
  errorExamples: [
    {
      operation: /^post \/api\/user\/calls\/\{id\}\/monitor$/,
      status: 409,
      text: 'call_monitors.not_answered',
    },
    {
      operation: /^post \/api\/user\/calls\/\{id\}\/monitor$/,
      status: 503,
      text: 'call_monitors.no_process',
    },
    {
      operation: /^post \/api\/user\/transfer-offers\/\{id\}\/(accept|decline)$/,
      status: 404,
      text: 'transfer_offers.not_found',
    },
    {
      operation: /^post \/api\/user\/transfer-offers\/\{id\}\/(accept|decline)$/,
      status: 409,
      text: 'transfer_offers.taken',
    },
    {
      operation: /^post \/api\/user\/transfer-offers\/\{id\}\/accept$/,
      status: 503,
      text: 'call_monitors.no_process',
    },
  ],
};
