import { Module } from '@nestjs/common';
import { MailModule } from '../../providers/mail/mail.module.js';
import { EmailDeliveryService } from './email-delivery.service.js';
import { EmailsRepository } from './emails.repository.js';
import { EmailsService } from './emails.service.js';

@Module({
  imports: [MailModule],
  providers: [EmailDeliveryService, EmailsRepository, EmailsService],
  exports: [EmailsService],
})
export class EmailsModule {}
