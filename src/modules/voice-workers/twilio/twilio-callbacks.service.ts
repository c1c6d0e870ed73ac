import type { IncomingMessage, ServerResponse } from 'node:http';
import { Injectable } from '@nestjs/common';
import { isUUID } from 'class-validator';
import { Logger } from '../../../common/observability/logger.js';
import { MetricsService } from '../../../common/observability/metrics.service.js';
import { TelephonyConfig } from '../../../config/config.js';
import { CallCarriers } from '../../../providers/telephony/call-carriers.js';
import { nameOfAccount } from '../../../providers/telephony/carrier-name.js';
import type { CarrierAccountId } from '../../../providers/telephony/twilio/twilio-accounts.js';
import { isCallSid } from '../../../providers/telephony/twilio/calls/twilio-call-requests.js';
import { VoiceClientService } from '../voice-client.service.js';
import { VoiceProcessesService } from '../voice-processes.service.js';
import { ActiveCallsService } from '../../active-calls/active-calls.service.js';
import { formOf } from './form-body.js';
import { keyOfCallback, type TwilioPath, twilioPathOf } from './twilio-paths.js';
import { TwilioProofsService } from './twilio-proofs.service.js';

/** Name of the carrier, as voice processes tell whose lines they have. */
const CARRIER = 'twilio';
/** Callbacks at once, proven or not: each may bring 64 KiB, and wait 10 s until a call is accepted. */
const MAX_OPEN = 500;
/** A phone rings, or is about to. */
const NOT_ANSWERED = new Set<string | null>(['queued', 'initiated', 'ringing']);

const RESULTS = {
  403: 'unsigned',
  404: 'no-process',
  413: 'too-long',
  502: 'failed',
  503: 'too-many',
} as const;

/**
 * Takes what Twilio calls back at the API's port, and hands it to the voice process it is for. Only what Twilio has signed
 * goes any further. The limits of clients do not count here, as all calls come from a few of Twilio's addresses. What has no
 * signature is refused before its body is read, and one address has few places for requests whose signature is not checked.
 */
@Injectable()
export class TwilioCallbacksService {
  private open = 0;
  private readonly count: (labels: { result: string }) => void;

  constructor(
    private readonly carriers: CallCarriers,
    private readonly proofs: TwilioProofsService,
    private readonly activeCalls: ActiveCallsService,
    private readonly processes: VoiceProcessesService,
    private readonly client: VoiceClientService,
    private readonly config: TelephonyConfig,
    private readonly logger: Logger,
    metrics: MetricsService,
  ) {
    this.count = metrics.counter({
      name: 'prosa_twilio_callbacks_total',
      help: 'Requests at the addresses of Twilio: handed-on to the process of the call, or why not',
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
    const process = await this.processOf(path);
    if (!process) {
      if (path.kind === 'callback') await this.endOrphan(path.account, form);
      return this.refuse(response, 404);
    }
    const answer = await this.client.handOn(process, request.url ?? '', body);
    this.count({ result: 'handed-on' });
    response.writeHead(answer.status, { 'Content-Type': 'text/xml' }).end(answer.body);
  }

  private async note(account: CarrierAccountId, key: string | null, form: URLSearchParams): Promise<void> {
    const sid = form.get('CallSid') ?? '';
    const carrier = nameOfAccount(CARRIER, account);
    if (isUUID(key) && isCallSid(sid)) await this.activeCalls.noteDialled(String(key), carrier, sid);
  }

  /** The call belongs to no process any more: the called person is not needed on the phone. */
  private async endOrphan(account: CarrierAccountId, form: URLSearchParams): Promise<void> {
    const sid = form.get('CallSid') ?? '';
    if (!isCallSid(sid) || !NOT_ANSWERED.has(form.get('CallStatus'))) return;
    this.logger.warn('call of Twilio ended, as its process is gone', { carrierCallId: sid });
    await this.carriers.named(nameOfAccount(CARRIER, account)).hangUp(sid);
  }

  private processOf(path: TwilioPath) {
    return path.kind === 'voice' ? this.processes.findServing(CARRIER) : this.processes.find(path.processId);
  }

  /** Nothing more is read of the connection. */
  private refuse(response: ServerResponse, status: keyof typeof RESULTS): void {
    this.count({ result: RESULTS[status] });
    response.writeHead(status, { Connection: 'close' }).end();
  }
}
