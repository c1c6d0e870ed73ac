import type { IncomingMessage, ServerResponse } from 'node:http';
import { Injectable } from '@nestjs/common';
import { Logger } from '../../../common/observability/logger.js';
import { TelephonyConfig } from '../../../config/config.js';
import { isSignedByTwilio } from '../../../providers/telephony/twilio/twilio-signature.js';
import { VoiceClientService } from '../voice/voice-client.service.js';
import { VoiceProcessesService } from '../voice/voice-processes.service.js';
import { formOf } from './form-body.js';
import { type TwilioPath, twilioPathOf } from './twilio-paths.js';

/** Name of the carrier, as voice processes tell whose lines they have. */
const CARRIER = 'twilio';
/** Callbacks at once, proven or not: each may bring 64 KiB, and wait 10 s for somebody to take a call. */
const MAX_OPEN = 500;

/**
 * Takes what Twilio calls back at the API's port, and hands it to the voice process it is for. Only what Twilio has signed
 * goes any further. The limits of clients do not count here, as all calls come from a few of Twilio's addresses; what
 * nobody has signed is refused before its body is read.
 */
@Injectable()
export class TwilioCallbacksService {
  private open = 0;

  constructor(
    private readonly processes: VoiceProcessesService,
    private readonly client: VoiceClientService,
    private readonly config: TelephonyConfig,
    private readonly logger: Logger,
  ) {}

  readonly middleware = (request: IncomingMessage, response: ServerResponse, next: () => void): void => {
    const path = request.method === 'POST' ? twilioPathOf(request.url) : null;
    if (!this.config.twilio || !path || path.kind === 'media') return next();
    if (typeof request.headers['x-twilio-signature'] !== 'string') return refuse(response, 403);
    if (this.open >= MAX_OPEN) return refuse(response, 503);
    this.open++;
    this.answer(request, response, path)
      .catch((err: unknown) => {
        this.logger.warn('callback of Twilio not handed on', { err });
        // Twilio hangs up on a call that comes in to an error.
        if (!response.headersSent) refuse(response, 502);
      })
      .finally(() => this.open--);
  };

  private async answer(request: IncomingMessage, response: ServerResponse, path: TwilioPath): Promise<void> {
    const body = await formOf(request);
    if (body === null) return refuse(response, 413);
    if (!this.isProven(request, body)) return refuse(response, 403);
    const process = await this.processOf(path);
    if (!process) return void response.writeHead(404).end();
    const answer = await this.client.handOn(process, request.url ?? '', body);
    response.writeHead(answer.status, { 'Content-Type': 'text/xml' }).end(answer.body);
  }

  private isProven({ headers, url = '' }: IncomingMessage, body: string): boolean {
    const { twilio } = this.config;
    const shown = headers['x-twilio-signature'];
    if (!twilio || typeof shown !== 'string') return false;
    const signed = { url: `${twilio.publicUrl}${url}`, form: new URLSearchParams(body), signature: shown };
    return isSignedByTwilio(signed, twilio.authToken);
  }

  private processOf(path: TwilioPath) {
    return path.kind === 'voice' ? this.processes.findServing(CARRIER) : this.processes.find(path.processId);
  }
}

/** Nothing more is read of the connection. */
function refuse(response: ServerResponse, status: 403 | 413 | 502 | 503): void {
  response.writeHead(status, { Connection: 'close' }).end();
}
