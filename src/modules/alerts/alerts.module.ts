import { Module } from '@nestjs/common';
import { AccountsModule } from '../accounts/accounts.module.js';
import { EmailsModule } from '../emails/emails.module.js';
import { WebhooksModule } from '../webhooks/webhooks.module.js';
import { AlertEmailsService } from './alert-emails.service.js';
import { AlertsController } from './alerts.controller.js';
import { AlertsRepository } from './alerts.repository.js';
import { AlertsService } from './alerts.service.js';

@Module({
  imports: [AccountsModule, EmailsModule, WebhooksModule],
  controllers: [AlertsController],
  providers: [AlertEmailsService, AlertsRepository, AlertsService],
  exports: [AlertsService],
})
export class AlertsModule {}
