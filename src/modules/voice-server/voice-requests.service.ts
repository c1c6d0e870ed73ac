import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { Injectable } from '@nestjs/common';
import { InternalToken } from '../../common/crypto/internal-token.js';
import { Logger } from '../../common/observability/logger.js';
import { CallPlacementService } from '../outbound-calls/call-placement.service.js';
import {
  mediaPathOf,
  MediaUpgrades,
  originOfHeaders,
  refuseUpgrade,
} from '../voice-workers/media-upgrades.js';
import { DIAL_WITHIN_HEADER } from '../voice-workers/voice-client.service.js';
import { VoiceProcessesService } from '../voice-workers/voice-processes.service.js';
import { sampleOfPath } from '../voice-workers/voice-sample-request.js';
import { TwilioLinesService } from './twilio-lines.service.js';
import { SpokenSamplesService } from './spoken-samples.service.js';

const SEND = /^\/calls\/(\d{1,10})\/send\?may_dial=(true|false)$/;

/** Answers the requests of other processes: calls to place, voices to hear, and WebSockets with the sound of calls. */
@Injectable()
export class VoiceRequestsService {
  constructor(
    private readonly processes: VoiceProcessesService,
    private readonly placement: CallPlacementService,
    private readonly upgrades: MediaUpgrades,
    private readonly twilio: TwilioLinesService,
    private readonly samples: SpokenSamplesService,
    private readonly token: InternalToken,
    private readonly logger: Logger,
  ) {}

  /** Calls of Twilio are placed and taken here from now on. */
  beginTwilioLines(): void {
    this.twilio.serve(this.processes.ownId);
  }

  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    socket.on('error', () => socket.destroy());
    if (!this.isKnown(request)) return refuseUpgrade(socket, 401);
    if (this.twilio.isFor(request)) return this.twilio.open(request, socket, head);
    const path = mediaPathOf(request.url);
    const take = path && this.upgrades.find(path.kind);
    if (!take) return refuseUpgrade(socket, 404);
    take(path.callId, request, socket, head, originOfHeaders(request));
  }

  answer(request: IncomingMessage, response: ServerResponse): void {
    if (!this.isKnown(request)) return void response.writeHead(401).end();
    if (request.method === 'POST' && this.twilio.isFor(request)) return this.answerTwilio(request, response);
    request.resume();
    // A process answers with its id, because another one may listen at the address of one that is gone.
    if (request.url === '/id') return void response.writeHead(200).end(this.processes.own?.id ?? '');
    const sample = sampleOfPath(request.url ?? '');
    if (sample) return void this.samples.answer(sample, response);
    const [, id, mayDial] = SEND.exec(request.url ?? '') ?? [];
    if (request.method !== 'POST' || id === undefined) return void response.writeHead(404).end();
    // A process of the last release says only whether.
    const withinMs = mayDial === 'true' ? Number(request.headers[DIAL_WITHIN_HEADER] ?? Infinity) : 0;
    this.placement.send(Number(id), performance.now() + withinMs).then(
      (result) => response.writeHead(200).end(JSON.stringify({ result })),
      (err: unknown) => {
        this.logger.error('call not placed', { callId: Number(id), err });
        response.writeHead(500).end();
      },
    );
  }

  private answerTwilio(request: IncomingMessage, response: ServerResponse): void {
    this.twilio.answer(request, response).catch((err: unknown) => {
      this.logger.error('callback of Twilio not taken', { err });
      if (!response.headersSent) response.writeHead(500).end();
    });
  }

  private isKnown({ headers }: IncomingMessage): boolean {
    const [, shown] = /^Bearer (\S+)$/.exec(headers.authorization ?? '') ?? [];
    return shown !== undefined && this.token.isValid(shown);
  }
}
