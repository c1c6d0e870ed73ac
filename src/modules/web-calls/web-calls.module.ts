import { Module } from '@nestjs/common';
import { AssistantsModule } from '../assistants/assistants.module.js';
import { CallsModule } from '../calls/calls.module.js';
import { VisitorsModule } from '../visitors/visitors.module.js';
import { OwnWebCallsController } from './own-web-calls.controller.js';
import { PublicWebCallsController } from './public-web-calls.controller.js';
import { RoomInvitationsService } from './room-invitations.service.js';
import { WebCallTunnelService } from './web-call-tunnel.service.js';
import { WebCallsRepository } from './web-calls.repository.js';
import { WebCallsService } from './web-calls.service.js';

@Module({
  imports: [AssistantsModule, CallsModule, VisitorsModule],
  controllers: [OwnWebCallsController, PublicWebCallsController],
  providers: [RoomInvitationsService, WebCallTunnelService, WebCallsRepository, WebCallsService],
  exports: [WebCallsRepository],
})
export class WebCallsModule {}
