import { Module } from '@nestjs/common';
import { AccountsModule } from '../accounts/accounts.module.js';
import { AssistantsModule } from '../assistants/assistants.module.js';
import { LeadAliasesController } from './lead-aliases.controller.js';
import { LeadCountsRepository } from './counts/lead-counts.repository.js';
import { LeadCountsService } from './counts/lead-counts.service.js';
import { LeadCampaignsRepository } from './lead-campaigns.repository.js';
import { LeadDialsRepository } from './lead-dials.repository.js';
import { LeadDialsService } from './lead-dials.service.js';
import { LeadExportsController } from './exports/lead-exports.controller.js';
import { LeadExportsRepository } from './exports/lead-exports.repository.js';
import { LeadExportsService } from './exports/lead-exports.service.js';
import { LeadImportsController } from './imports/lead-imports.controller.js';
import { LeadImportsRepository } from './imports/lead-imports.repository.js';
import { LeadImportsService } from './imports/lead-imports.service.js';
import { LeadRefusalsController } from './imports/refusals/lead-refusals.controller.js';
import { LeadRefusalsRepository } from './imports/refusals/lead-refusals.repository.js';
import { LeadRefusalsService } from './imports/refusals/lead-refusals.service.js';
import { LeadIntakeService } from './lead-intake.service.js';
import { LeadsController } from './leads.controller.js';
import { LeadsRepository } from './leads.repository.js';
import { LeadsService } from './leads.service.js';
import { NewLeadsRepository } from './new-leads.repository.js';
import { ImportPersonalDataService } from './personal-data/import-personal-data.service.js';
import { LeadPersonalDataService } from './personal-data/lead-personal-data.service.js';
import { LeadPersonalDataRepository } from './personal-data/lead-personal-data.repository.js';

@Module({
  imports: [AccountsModule, AssistantsModule],
  controllers: [
    LeadsController,
    LeadAliasesController,
    LeadExportsController,
    LeadImportsController,
    LeadRefusalsController,
  ],
  providers: [
    LeadsService,
    LeadDialsService,
    LeadDialsRepository,
    LeadCountsRepository,
    LeadCountsService,
    LeadExportsRepository,
    LeadExportsService,
    LeadImportsService,
    LeadRefusalsRepository,
    LeadRefusalsService,
    LeadIntakeService,
    LeadsRepository,
    NewLeadsRepository,
    LeadImportsRepository,
    LeadCampaignsRepository,
    ImportPersonalDataService,
    LeadPersonalDataService,
    LeadPersonalDataRepository,
  ],
  exports: [ImportPersonalDataService, LeadPersonalDataService, LeadDialsService, LeadsService],
})
export class LeadsModule {}
