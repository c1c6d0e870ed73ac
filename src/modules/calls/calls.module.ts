import { Module } from '@nestjs/common';
import { StorageModule } from '../../providers/storage/storage.module.js';
import { AccountsModule } from '../accounts/accounts.module.js';
import { AssistantsModule } from '../assistants/assistants.module.js';
import { BillingModule } from '../billing/billing.module.js';
import { FilesModule } from '../files/files.module.js';
import { WebhooksModule } from '../webhooks/webhooks.module.js';
import { CallDetachmentsService } from './call-detachments.service.js';
import { CallEventsPublisher } from './call-events-publisher.js';
import { CallsController } from './calls.controller.js';
import { CallsRepository } from './calls.repository.js';
import { CallsService } from './calls.service.js';
import { CallCountsRepository } from './listing/call-counts.repository.js';
import { CallCountsService } from './listing/call-counts.service.js';
import { CallExportsService } from './listing/call-exports.service.js';
import { CallListRepository } from './listing/call-list.repository.js';
import { CallListService } from './listing/call-list.service.js';
import { LiveStatesRepository } from './live/live-states.repository.js';
import { CallPersonalDataRepository } from './personal-data/call-personal-data.repository.js';
import { CallPersonalDataService } from './personal-data/call-personal-data.service.js';
import { RecordingLinksService } from './recordings/recording-links.service.js';
import { RecordingStoreService } from './recordings/recording-store.service.js';
import { RecordingsController } from './recordings/recordings.controller.js';
import { RecordingsRepository } from './recordings/recordings.repository.js';
import { RecordingsService } from './recordings/recordings.service.js';
import { CallWordsRepository } from './search/call-words.repository.js';
import { CallWordsService } from './search/call-words.service.js';
import { CallStatsRepository } from './stats/call-stats.repository.js';
import { CallStatsService } from './stats/call-stats.service.js';
import { InboundStatsRepository } from './stats/inbound-stats.repository.js';
import { InboundStatsService } from './stats/inbound-stats.service.js';
import { CallFunctionCallsRepository } from './turns/call-function-calls.repository.js';
import { CallFunctionCallsService } from './turns/call-function-calls.service.js';
import { CallRecordsRepository } from './turns/call-records.repository.js';
import { CallTurnsRepository } from './turns/call-turns.repository.js';
import { CallTurnsService } from './turns/call-turns.service.js';
import { CallVoicesService } from './turns/call-voices.service.js';

/** The record of calls. */
@Module({
  imports: [AccountsModule, AssistantsModule, BillingModule, FilesModule, StorageModule, WebhooksModule],
  controllers: [CallsController, RecordingsController],
  providers: [
    CallCountsRepository,
    CallCountsService,
    CallDetachmentsService,
    CallEventsPublisher,
    CallExportsService,
    CallFunctionCallsRepository,
    CallFunctionCallsService,
    CallListRepository,
    CallListService,
    CallPersonalDataRepository,
    CallPersonalDataService,
    CallRecordsRepository,
    CallStatsRepository,
    CallStatsService,
    CallTurnsRepository,
    CallTurnsService,
    CallVoicesService,
    CallWordsRepository,
    CallWordsService,
    CallsRepository,
    CallsService,
    InboundStatsRepository,
    InboundStatsService,
    LiveStatesRepository,
    RecordingLinksService,
    RecordingStoreService,
    RecordingsRepository,
    RecordingsService,
  ],
  exports: [
    CallDetachmentsService,
    CallEventsPublisher,
    CallFunctionCallsService,
    CallListService,
    CallPersonalDataService,
    CallStatsService,
    CallTurnsService,
    CallVoicesService,
    CallsService,
    InboundStatsService,
    RecordingLinksService,
    RecordingStoreService,
    RecordingsService,
  ],
})
export class CallsModule {}
