import type { IncomingMessage, ServerResponse } from 'node:http';
import { Injectable } from '@nestjs/common';
import { isUUID } from 'class-validator';
import { Logger } from '../../../common/observability/logger.js';
import { MetricsService } from '../../../common/observability/metrics.service.js';
import { TelephonyConfig } from '../../../config/config.js';
import { nameOfAccount } from '../../../providers/telephony/carrier-name.js';
import type { CarrierAccountId } from '../../../providers/telephony/twilio/twilio-accounts.js';
import { isCallSid } from '../../../providers/telephony/twilio/calls/twilio-call-requests.js';
import { VoiceClientService, VoiceProcessGoneError } from '../voice-client.service.js';
import { type VoiceProcessAddress, VoiceProcessesService } from '../voice-processes.service.js';
import { ActiveCallsService } from '../../active-calls/active-calls.service.js';
import { formOf } from './form-body.js';
import { TwilioFallbackService } from './twilio-fallback.service.js';
import { keyOfCallback, TWILIO, type TwilioPath, twilioPathOf } from './twilio-paths.js';
import { TwilioProofsService } from './twilio-proofs.service.js';

/** Callbacks at once, proven or not: each may bring 64 KiB, and wait 10 s until a call is accepted. */
const MAX_OPEN = 500;
const RESULTS = {
  403: 'unsigned',
  404: 'no-process',
  413: 'too-long',
  502: 'failed',
  503: 'too-many',
} as const;

/**
 * Takes what Twilio calls back at the API's port, and hands it to the voice process it is for. Calls that come in while none is
 * there are answered here. Only what Twilio has signed
 * goes any further. The limits of clients do not count here, as all calls come from a few of Twilio's addresses. What has no
 * signature is refused before its body is read, and one address has few places for requests whose signature is not checked.
 */
@Injectable()
export class TwilioCallbacksService {
  private open = 0;
  private readonly count: (labels: { result: string }) => void;

  constructor(
    private readonly proofs: TwilioProofsService,
    private readonly fallback: TwilioFallbackService,
    private readonly activeCalls: ActiveCallsService,
    private readonly processes: VoiceProcessesService,
    private readonly client: VoiceClientService,
    private readonly config: TelephonyConfig,
    private readonly logger: Logger,
    metrics: MetricsService,
  ) {
    this.count = metrics.counter({
      name: 'prosa_twilio_callbacks_total',
      help: 'Requests at the addresses of Twilio: handed-on to the process of the call, answered without one, or why not',
      labelNames: ['result'],
    });
  }

  readonly middleware = (request: IncomingMessage, response: ServerResponse, next: () => void): void => {
    const path = request.method === 'POST' ? twilioPathOf(request.url) : null;
    if (!this.config.twilio || !path || path.kind === 'media') return next();
    if (typeof request.headers['x-twilio-signature'] !== 'string') return this.refuse(response, 403);
    const checked = this.open < MAX_OPEN ? this.proofs.tryEnter(request) : null;
    if (!checked) return this.refuse(response, 503);
    this.open++;
    this.answer(request, response, path, checked)
      .catch((err: unknown) => {
        this.logger.warn('callback of Twilio not handed on', { err });
        // Twilio hangs up on a call that comes in to an error.
        if (!response.headersSent) this.refuse(response, 502);
      })
      .finally(() => {
        checked();
        this.open--;
      });
  };

  private async answer(
    request: IncomingMessage,
    response: ServerResponse,
    path: TwilioPath,
    checked: () => void,
  ): Promise<void> {
    const body = await formOf(request);
    if (body === null) return this.refuse(response, 413);
    const form = new URLSearchParams(body);
    if (!(await this.proofs.isSigned(path, request, form))) return this.refuse(response, 403);
    checked();
    if (path.kind === 'callback') await this.note(path.account, keyOfCallback(request.url), form);
    const handedOn = await this.handOn(path, request.url ?? '', body);
    if (handedOn) return this.reply(response, 'handed-on', handedOn);
    const twiml = await this.fallback.answer(path, form);
    if (twiml === null) return this.refuse(response, 404);
    this.reply(response, 'answered', { status: 200, body: twiml });
  }

  /** Null where no process is there. */
  private async handOn(path: TwilioPath, url: string, body: string) {
    const process = await this.processOf(path);
    if (!process) return null;
    try {
      return await this.client.handOn(process, url, body);
    } catch (error) {
      // It was killed a moment ago, and is still listed.
      if (path.kind === 'voice' && error instanceof VoiceProcessGoneError) return null;
      throw error;
    }
  }

  private reply(
    response: ServerResponse,
    result: 'handed-on' | 'answered',
    { status, body }: { readonly status: number; readonly body: string },
  ): void {
    this.count({ result });
    response.writeHead(status, { 'Content-Type': 'text/xml' }).end(body);
  }

  private async note(account: CarrierAccountId, key: string | null, form: URLSearchParams): Promise<void> {
    const sid = form.get('CallSid') ?? '';
    const carrier = nameOfAccount(TWILIO, account);
    if (isUUID(key) && isCallSid(sid)) await this.activeCalls.noteDialled(String(key), carrier, sid);
  }

  private processOf(path: TwilioPath): Promise<VoiceProcessAddress | null> {
    return path.kind === 'voice' ? this.processes.findServing(TWILIO) : this.processes.find(path.processId);
  }

  /** Nothing more is read of the connection. */
  private refuse(response: ServerResponse, status: keyof typeof RESULTS): void {
    this.count({ result: RESULTS[status] });
    response.writeHead(status, { Connection: 'close' }).end();
  }
}
