import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { Injectable } from '@nestjs/common';
import { refuseUpgrade } from '../../voice-workers/media-upgrades.js';
import type { TwilioPath } from '../../voice-workers/twilio/twilio-paths.js';
import { TwilioProofsService } from '../../voice-workers/twilio/twilio-proofs.service.js';
import { VoiceProcessesService } from '../../voice-workers/voice-processes.service.js';
import { MediaTunnelsService } from './media-tunnels.service.js';

/** Connects the Media Streams of Twilio with the voice processes that their addresses name. */
@Injectable()
export class TwilioStreamUpgradesService {
  constructor(
    private readonly proofs: TwilioProofsService,
    private readonly processes: VoiceProcessesService,
    private readonly tunnels: MediaTunnelsService,
  ) {}

  /** The first message of the stream names the call; only the process of its address receives it. */
  async open(
    stream: TwilioPath & { readonly processId: string },
    request: IncomingMessage,
    socket: Duplex,
    head: Buffer,
  ): Promise<void> {
    const checked = this.proofs.tryEnter(request);
    if (!checked) return refuseUpgrade(socket, 503);
    try {
      if (!(await this.proofs.isStreamSigned(stream, request))) return refuseUpgrade(socket, 401);
      const process = await this.processes.find(stream.processId);
      if (!process) return refuseUpgrade(socket, 404);
      // Who knows the id of a process has it from Twilio.
      checked();
      await this.tunnels.connect(process, { request, socket, head });
    } finally {
      checked();
    }
  }
}
