import type { IncomingMessage } from 'node:http';
import { Injectable } from '@nestjs/common';
import { UnprovenRequestsService } from '../../../common/limits/unproven-requests.service.js';
import { TelephonyConfig } from '../../../config/config.js';
import { TwilioAccounts } from '../../../providers/telephony/twilio/twilio-accounts.js';
import { isSignedByTwilio } from '../../../providers/telephony/twilio/twilio-signature.js';
import type { TwilioPath } from './twilio-paths.js';

/**
 * Requests of one address that are read and checked at the same time. Twilio's take milliseconds and come from many addresses, so
 * that all calls of an installation have room.
 */
const MAX_UNPROVEN = 50;

/** Tells what Twilio has sent by its signature, which is made with the token of the account that the address is for. */
@Injectable()
export class TwilioProofsService {
  constructor(
    private readonly accounts: TwilioAccounts,
    private readonly config: TelephonyConfig,
    private readonly unproven: UnprovenRequestsService,
  ) {}

  /**
   * Counts a request whose signature is not checked yet.
   *
   * @returns what is to be called when it has been checked, or is over; null when its address has too many of them
   */
  tryEnter(request: IncomingMessage): (() => void) | null {
    return this.unproven.tryEnter(request, 'Twilio', MAX_UNPROVEN);
  }

  /** A request with a form. */
  isSigned(path: TwilioPath, request: IncomingMessage, form: URLSearchParams): Promise<boolean> {
    return this.check(path, request, form, ['']);
  }

  /**
   * The WebSocket of a stream. Twilio signs its address with `wss`, and sometimes one with a slash behind it
   * (https://www.twilio.com/docs/usage/security#validating-requests). Streams of the installation's own account show the
   * token of their call alone.
   */
  async isStreamSigned(path: TwilioPath, request: IncomingMessage): Promise<boolean> {
    return path.account === null || this.check(path, request, new URLSearchParams(), ['', '/']);
  }

  private async check(
    { account, kind }: TwilioPath,
    { headers, url = '' }: IncomingMessage,
    form: URLSearchParams,
    endings: readonly string[],
  ): Promise<boolean> {
    const { twilio } = this.config;
    const signature = headers['x-twilio-signature'];
    if (!twilio || typeof signature !== 'string') return false;
    const origin = kind === 'media' ? twilio.publicUrl.replace(/^http/, 'ws') : twilio.publicUrl;
    const tokens = await this.accounts.signingTokensOf(account);
    return tokens.some((token) =>
      endings.some((ending) => isSignedByTwilio({ url: origin + url + ending, form, signature }, token)),
    );
  }
}
