import { Module } from '@nestjs/common';
import { TelephonyModule } from '../../providers/telephony/telephony.module.js';
import { ActiveCallsModule } from '../active-calls/active-calls.module.js';
import { CallCompletionModule } from '../call-completion/call-completion.module.js';
import { CallSessionsModule } from '../call-sessions/call-sessions.module.js';
import { LeadsModule } from '../leads/leads.module.js';
import { OutboundCallsModule } from '../outbound-calls/outbound-calls.module.js';
import { CampaignsModule } from './campaigns.module.js';
import { AttemptResultsService } from './dialler/attempts/attempt-results.service.js';
import { AttemptSenderService } from './dialler/attempts/attempt-sender.service.js';
import { DialClaimsRepository } from './dialler/claims/dial-claims.repository.js';
import { LeadClaimerService } from './dialler/claims/lead-claimer.service.js';
import { LeadLocksRepository } from './dialler/claims/lead-locks.repository.js';
import { DialSchedulerService } from './dialler/dial-scheduler.service.js';
import { DiallerService } from './dialler/dialler.service.js';
import { DueCampaignsService } from './dialler/due-campaigns.service.js';
import { LeadOutcomesService } from './dialler/outcomes/lead-outcomes.service.js';
import { DialRecoveryService } from './dialler/recovery/dial-recovery.service.js';

/** The worker role's part: calls the leads of running campaigns. */
@Module({
  imports: [
    ActiveCallsModule,
    CallCompletionModule,
    CallSessionsModule,
    CampaignsModule,
    LeadsModule,
    OutboundCallsModule,
    TelephonyModule,
  ],
  providers: [
    AttemptResultsService,
    AttemptSenderService,
    DialSchedulerService,
    DialClaimsRepository,
    DialRecoveryService,
    DiallerService,
    DueCampaignsService,
    LeadClaimerService,
    LeadLocksRepository,
    LeadOutcomesService,
  ],
})
export class CampaignsDiallerModule {}
