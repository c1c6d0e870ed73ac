import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { ServerConfig } from '../../../config/config.js';
import {
  LiveKitSipCarrier,
  type TrunkNumberSource,
} from '../../../providers/telephony/livekit-sip/livekit-sip-carrier.js';
import type { TrunkNumber } from '../../../providers/telephony/sip/carrier/trunk-number.js';
import { SipTrunksRepository } from '../sip-trunks.repository.js';
import { TrunkNumbersService } from './trunk-numbers.service.js';

/** Has voice processes place calls of trunks through LiveKit. A trunk is read for each call, as it is then. */
@Injectable()
export class LiveKitTrunksService implements OnApplicationBootstrap, TrunkNumberSource {
  constructor(
    @Inject(LiveKitSipCarrier) private readonly carrier: LiveKitSipCarrier | null,
    private readonly trunks: SipTrunksRepository,
    private readonly numbers: TrunkNumbersService,
    private readonly server: ServerConfig,
  ) {}

  onApplicationBootstrap(): void {
    if (this.server.roles.has('voice')) this.carrier?.serve(this);
  }

  async findTrunk(phoneNumberId: number): Promise<TrunkNumber | null> {
    const row = await this.trunks.findWithNumber(phoneNumberId);
    return row && this.numbers.read(row);
  }
}
