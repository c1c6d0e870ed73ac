import { Module } from '@nestjs/common';
import { MailConfig } from '../../config/config.js';
import { Mailer } from './mailer.js';
import { NoMailer } from './no-mailer.js';
import { SmtpMailer } from './smtp-mailer.js';

@Module({
  providers: [
    {
      provide: Mailer,
      useFactory: ({ smtp }: MailConfig) => (smtp ? new SmtpMailer(smtp) : new NoMailer()),
      inject: [MailConfig],
    },
  ],
  exports: [Mailer],
})
export class MailModule {}
