import { Module } from '@nestjs/common';
import { BillingModule } from '../billing/billing.module.js';
import { AccountsController } from './accounts.controller.js';
import { AccountsRepository } from './accounts.repository.js';
import { AccountsService } from './accounts.service.js';
import { EmailsModule } from '../emails/emails.module.js';
import { AvailabilityController } from './members/availability/availability.controller.js';
import { AvailabilityRepository } from './members/availability/availability.repository.js';
import { AvailabilityService } from './members/availability/availability.service.js';
import { AvailabilityStreamsService } from './members/availability/availability-streams.service.js';
import { IdentitiesRepository } from './members/identities/identities.repository.js';
import { IdentitiesService } from './members/identities/identities.service.js';
import { InvitationsService } from './members/invitations.service.js';
import { MembersController } from './members/members.controller.js';
import { MembersRepository } from './members/members.repository.js';
import { MembersService } from './members/members.service.js';

@Module({
  imports: [BillingModule, EmailsModule],
  controllers: [AccountsController, AvailabilityController, MembersController],
  providers: [
    AccountsRepository,
    AccountsService,
    AvailabilityRepository,
    AvailabilityService,
    AvailabilityStreamsService,
    IdentitiesRepository,
    IdentitiesService,
    InvitationsService,
    MembersRepository,
    MembersService,
  ],
  exports: [
    AccountsService,
    AvailabilityService,
    AvailabilityStreamsService,
    IdentitiesService,
    MembersService,
  ],
})
export class AccountsModule {}
