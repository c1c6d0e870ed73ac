import { Body, Controller, Delete, Get, Post, Query } from '@nestjs/common';
import { ApiExtraModels, ApiOperation, ApiTags } from '@nestjs/swagger';
import { ForUser } from '../../common/auth/guards.js';
import { Caller, type Principal } from '../../common/auth/principal.js';
import { ApiOk, ApiPage, ApiReply, MessageResponse } from '../../common/http/api-docs.js';
import { IdParam } from '../../common/http/id-param.js';
import {
  CurrentAddress,
  PageAddress,
  PageQuery,
  pageRequestOf,
  toPageResponse,
} from '../../common/http/page.js';
import { done, reply } from '../../common/http/reply.js';
import { Idempotent } from '../idempotency/idempotent.js';
import { BeginSimulationRequest, SIMULATION_FORMS } from './dto/simulation.request.js';
import {
  SimulationResponse,
  SimulationSummaryResponse,
  toSimulationResponse,
  toSimulationSummary,
} from './dto/simulation.response.js';
import { simulationText } from './simulations.texts.js';
import { SimulationsService } from './simulations.service.js';

@ApiTags('Simulations')
@ApiExtraModels(...SIMULATION_FORMS)
@ForUser()
@Controller('user')
export class SimulationsController {
  constructor(private readonly simulations: SimulationsService) {}

  @Post('assistant/:id/simulations')
  @Idempotent()
  @ApiOperation({
    operationId: 'beginSimulation',
    summary: 'Have a script or a model talk to the assistant, and check what it says and does',
    description:
      'Runs in the background: read it until its status is completed. Costs nothing, appears in no inbox and sends no webhook. ' +
      'An account has a daily allowance of conversations and tokens; what goes beyond is answered 422 with a message alone.',
  })
  @ApiReply(SimulationResponse, 202)
  async begin(@Caller() { userId }: Principal, @IdParam() id: number, @Body() body: BeginSimulationRequest) {
    return reply(
      simulationText('simulations.begun'),
      toSimulationResponse(await this.simulations.begin(userId, id, body)),
    );
  }

  @Get('assistant/:id/simulations')
  @ApiOperation({
    operationId: 'listSimulations',
    summary: 'List the simulations of an assistant, newest first',
  })
  @ApiPage(SimulationSummaryResponse)
  async list(
    @Caller() { userId }: Principal,
    @IdParam() id: number,
    @Query() query: PageQuery,
    @CurrentAddress() address: PageAddress,
  ) {
    const page = pageRequestOf(query);
    return toPageResponse(await this.simulations.page(userId, id, page), page, address, toSimulationSummary);
  }

  @Get('simulations/:id')
  @ApiOperation({
    operationId: 'getSimulation',
    summary: 'Read a simulation: each conversation, and the outcome of each check',
  })
  @ApiOk(SimulationResponse)
  async get(@Caller() { userId }: Principal, @IdParam() id: number) {
    return toSimulationResponse(await this.simulations.get(userId, id));
  }

  @Delete('simulations/:id')
  @ApiOperation({
    operationId: 'deleteSimulation',
    summary: 'Delete a simulation; one that is under way stops',
  })
  @ApiOk(MessageResponse)
  async delete(@Caller() { userId }: Principal, @IdParam() id: number) {
    await this.simulations.delete(userId, id);
    return done(simulationText('simulations.deleted'));
  }
}
