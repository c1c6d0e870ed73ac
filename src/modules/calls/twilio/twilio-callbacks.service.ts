import type { IncomingMessage, ServerResponse } from 'node:http';
import { Injectable } from '@nestjs/common';
import { Logger } from '../../../common/observability/logger.js';
import { TelephonyConfig } from '../../../config/config.js';
import { isSignedByTwilio } from '../../../providers/telephony/twilio/twilio-signature.js';
import { VoiceClientService } from '../voice/voice-client.service.js';
import { VoiceProcessesService } from '../voice/voice-processes.service.js';
import { formOf } from './form-body.js';
import { twilioPathOf } from './twilio-paths.js';

/** Name of the carrier, as voice processes tell whose lines they have. */
const CARRIER = 'twilio';

/**
 * Takes what Twilio calls back at the API's port, and hands it to the voice process it is for. Only what Twilio has signed
 * goes any further.
 */
@Injectable()
export class TwilioCallbacksService {
  constructor(
    private readonly processes: VoiceProcessesService,
    private readonly client: VoiceClientService,
    private readonly config: TelephonyConfig,
    private readonly logger: Logger,
  ) {}

  readonly middleware = (request: IncomingMessage, response: ServerResponse, next: () => void): void => {
    const path = request.method === 'POST' ? twilioPathOf(request.url) : null;
    if (!this.config.twilio || !path || path.kind === 'media') return next();
    const processId = path.kind === 'callback' ? path.processId : null;
    this.answer(request, response, processId).catch((err: unknown) => {
      this.logger.warn('callback of Twilio not handed on', { err });
      // Twilio hangs up on a call that comes in to an error.
      if (!response.headersSent) response.writeHead(502).end();
    });
  };

  private async answer(
    request: IncomingMessage,
    response: ServerResponse,
    processId: string | null,
  ): Promise<void> {
    const { twilio } = this.config;
    const body = await formOf(request);
    if (!twilio || body === null) return void response.writeHead(413).end();
    const shown = request.headers['x-twilio-signature'];
    const signed = {
      url: `${twilio.publicUrl}${request.url}`,
      form: new URLSearchParams(body),
      signature: typeof shown === 'string' ? shown : undefined,
    };
    if (!isSignedByTwilio(signed, twilio.authToken)) return void response.writeHead(403).end();
    const process =
      processId === null ? await this.processes.findServing(CARRIER) : await this.processes.find(processId);
    if (!process) return void response.writeHead(404).end();
    const answer = await this.client.handOn(process, request.url ?? '', body);
    response.writeHead(answer.status, { 'Content-Type': 'text/xml' }).end(answer.body);
  }
}
