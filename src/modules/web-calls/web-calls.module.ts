import { Module } from '@nestjs/common';
import { AssistantsModule } from '../assistants/assistants.module.js';
import { ActiveCallsModule } from '../active-calls/active-calls.module.js';
import { CallerLookupsModule } from '../caller-lookups/caller-lookups.module.js';
import { CallsModule } from '../calls/calls.module.js';
import { VoiceWorkersModule } from '../voice-workers/voice-workers.module.js';
import { VisitorsModule } from '../visitors/visitors.module.js';
import { OwnWebCallsController } from './own-web-calls.controller.js';
import { PublicWebCallsController } from './public-web-calls.controller.js';
import { RoomInvitationsService } from './room-invitations.service.js';
import { CallSocketsService } from './upgrades/call-sockets.service.js';
import { MediaTunnelsService } from './upgrades/media-tunnels.service.js';
import { MonitorUpgradesService } from './upgrades/monitor-upgrades.service.js';
import { TwilioStreamUpgradesService } from './upgrades/twilio-stream-upgrades.service.js';
import { WebCallUpgradesService } from './upgrades/web-call-upgrades.service.js';
import { WebCallTunnelService } from './upgrades/web-call-tunnel.service.js';
import { VisitorCallLimitsService } from './visitor-call-limits.service.js';
import { WebCallsRepository } from './web-calls.repository.js';
import { WebCallsService } from './web-calls.service.js';
import { WebCallAvailabilityService } from './web-call-availability.service.js';
import { WebCallLookupsService } from './web-call-lookups.service.js';
import { WebCallOpeningsService } from './web-call-openings.service.js';

@Module({
  imports: [
    ActiveCallsModule,
    AssistantsModule,
    CallerLookupsModule,
    CallsModule,
    VisitorsModule,
    VoiceWorkersModule,
  ],
  controllers: [OwnWebCallsController, PublicWebCallsController],
  providers: [
    CallSocketsService,
    MonitorUpgradesService,
    WebCallLookupsService,
    WebCallOpeningsService,
    WebCallAvailabilityService,
    MediaTunnelsService,
    RoomInvitationsService,
    TwilioStreamUpgradesService,
    VisitorCallLimitsService,
    WebCallTunnelService,
    WebCallUpgradesService,
    WebCallsRepository,
    WebCallsService,
  ],
  exports: [VisitorCallLimitsService, WebCallsRepository],
})
export class WebCallsModule {}
