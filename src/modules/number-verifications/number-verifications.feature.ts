import type { Feature } from '../../feature.js';
import { NumberVerificationsModule } from './number-verifications.module.js';
import { sweepNumberVerificationsJob } from './sweep-number-verifications.job.js';
import { verificationText } from './verification.texts.js';

export const numberVerificationsFeature: Feature = {
  module: NumberVerificationsModule,
  texts: verificationText,
  errorExamples: [
    {
      operation: /^post .*\/phone-numbers\/verifications$/,
      status: 400,
      text: verificationText('verifications.no_carrier'),
    },
    {
      operation: /^post .*\/phone-numbers\/verifications$/,
      status: 402,
      text: 'billing.insufficient_balance',
    },
    {
      operation: /^post .*\/phone-numbers\/verifications$/,
      status: 409,
      text: verificationText('verifications.under_way'),
    },
    {
      operation: /\/verifications\/\{id\}\/confirm$/,
      status: 400,
      text: verificationText('verifications.no_tries_left'),
    },
    {
      operation: /\/phone-numbers\/verifications\//,
      status: 404,
      text: verificationText('verifications.not_found'),
    },
    {
      operation: /\/phone-numbers\/verifications\//,
      status: 409,
      text: verificationText('verifications.no_code_awaited'),
    },
  ],
  jobs: [sweepNumberVerificationsJob],
};
