import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { Inject, Injectable, type OnModuleDestroy } from '@nestjs/common';
import { WebSocketServer } from 'ws';
import { MetricsService } from '../../common/observability/metrics.service.js';
import { TelephonyConfig } from '../../config/config.js';
import { MAX_MESSAGE_BYTES } from '../../providers/telephony/twilio/calls/media-stream-protocol.js';
import { TwilioCallCarrier } from '../../providers/telephony/twilio/calls/twilio-call-carrier.js';
import { refuseUpgrade } from '../voice-workers/media-upgrades.js';
import { formOf } from '../voice-workers/twilio/form-body.js';
import { keyOfCallback, twilioAddressOf, twilioPathOf } from '../voice-workers/twilio/twilio-paths.js';

/** Streams that have not said which call they are of, and those of calls. */
const MAX_STREAMS = 2_000;

/** The calls of Twilio whose sound comes to this process: hands the carrier what others have taken and proven. */
@Injectable()
export class TwilioLinesService implements OnModuleDestroy {
  private readonly sockets = new WebSocketServer({
    noServer: true,
    maxPayload: MAX_MESSAGE_BYTES,
    perMessageDeflate: false,
  });

  constructor(
    @Inject(TwilioCallCarrier) private readonly carrier: TwilioCallCarrier | null,
    private readonly config: TelephonyConfig,
    metrics: MetricsService,
  ) {
    metrics.gauge({
      name: 'prosa_twilio_streams',
      help: 'Media Streams of Twilio that end in this process',
      labelNames: [],
      read: async () => [{ labels: {}, value: this.sockets.clients.size }],
    });
  }

  /** Calls are placed and taken here from now on. @param processId by which the others find this process */
  serve(processId: string): void {
    const { twilio } = this.config;
    if (twilio) this.carrier?.serve(twilioAddressOf(twilio.publicUrl, processId));
  }

  onModuleDestroy(): void {
    this.sockets.close();
  }

  /** Whether the request is one of Twilio's; then it will be answered. */
  isFor({ url }: IncomingMessage): boolean {
    return twilioPathOf(url) !== null;
  }

  /** Answers what Twilio calls back. */
  async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const form = new URLSearchParams((await formOf(request)) ?? '');
    const key = keyOfCallback(request.url);
    const path = twilioPathOf(request.url);
    const { carrier } = this;
    if (!carrier || !path) return void response.writeHead(404).end();
    if (key !== null) {
      return void response.writeHead(carrier.takeCallback(path.account, key, form) ? 200 : 404).end();
    }
    const twiml = await carrier.offer(path.account, form);
    response.writeHead(twiml === null ? 400 : 200).end(twiml);
  }

  /** Opens the WebSocket of a stream. */
  open(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    const { carrier } = this;
    const path = twilioPathOf(request.url);
    if (!carrier || !path) return refuseUpgrade(socket, 404);
    if (this.sockets.clients.size >= MAX_STREAMS) return refuseUpgrade(socket, 503);
    this.sockets.handleUpgrade(request, socket, head, (open) => carrier.connect(path.account, open));
  }
}
