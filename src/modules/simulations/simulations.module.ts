import { Module } from '@nestjs/common';
import { LlmModule } from '../../providers/llm/llm.module.js';
import { AccountsModule } from '../accounts/accounts.module.js';
import { AllowancesModule } from '../allowances/allowances.module.js';
import { AssistantsModule } from '../assistants/assistants.module.js';
import { SimulationPersonalDataService } from './personal-data/simulation-personal-data.service.js';
import { SimulationPersonalDataRepository } from './personal-data/simulation-personal-data.repository.js';
import { SimulatedPartiesService } from './running/simulated-parties.service.js';
import { SimulationRunsRepository } from './running/simulation-runs.repository.js';
import { SimulationRunsService } from './running/simulation-runs.service.js';
import { SimulationWakeUpsService } from './running/simulation-wake-ups.service.js';
import { SimulationAllowanceService } from './simulation-allowance.service.js';
import { SimulationsController } from './simulations.controller.js';
import { SimulationsRepository } from './simulations.repository.js';
import { SimulationsService } from './simulations.service.js';

@Module({
  imports: [AccountsModule, AllowancesModule, AssistantsModule, LlmModule],
  controllers: [SimulationsController],
  providers: [
    SimulatedPartiesService,
    SimulationAllowanceService,
    SimulationPersonalDataService,
    SimulationRunsRepository,
    SimulationRunsService,
    SimulationPersonalDataRepository,
    SimulationWakeUpsService,
    SimulationsRepository,
    SimulationsService,
  ],
  exports: [SimulationPersonalDataService],
})
export class SimulationsModule {}
