import { Module } from '@nestjs/common';
import { BillingModule } from '../billing/billing.module.js';
import { AccountsController } from './accounts.controller.js';
import { AccountsRepository } from './accounts.repository.js';
import { AccountsService } from './accounts.service.js';
import { EmailsModule } from '../emails/emails.module.js';
import { InvitationsService } from './members/invitations.service.js';
import { MembersController } from './members/members.controller.js';
import { MembersRepository } from './members/members.repository.js';
import { MembersService } from './members/members.service.js';

@Module({
  imports: [BillingModule, EmailsModule],
  controllers: [AccountsController, MembersController],
  providers: [AccountsService, AccountsRepository, InvitationsService, MembersService, MembersRepository],
  exports: [AccountsService, MembersService],
})
export class AccountsModule {}
