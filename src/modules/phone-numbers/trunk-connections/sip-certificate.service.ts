import { Injectable } from '@nestjs/common';
import { Logger } from '../../../common/observability/logger.js';
import { TelephonyConfig } from '../../../config/config.js';
import type { SipCallCarrier } from '../../../providers/telephony/sip/carrier/sip-call-carrier.js';

/** Has the carrier use a renewed certificate without a restart: connections made from then on show it. */
@Injectable()
export class SipCertificateService {
  private current = '';
  private lastProblem = '';

  constructor(
    private readonly telephony: TelephonyConfig,
    private readonly logger: Logger,
  ) {
    this.current = JSON.stringify(telephony.sip?.tls ?? null);
  }

  /** Reads the files again. Those that do not belong together, as in the middle of a renewal, change nothing. */
  async refresh(carrier: SipCallCarrier): Promise<void> {
    const tls = this.telephony.sip?.tls;
    if (!tls) return;
    try {
      const files = await tls.reread();
      const text = JSON.stringify({ port: tls.port, ...files });
      if (text !== this.current) {
        carrier.useCertificate(files);
        this.current = text;
        this.logger.info('SIP certificate renewed', {});
      }
      this.lastProblem = '';
    } catch (error) {
      this.warn(error);
    }
  }

  /** Once for each problem: it stays until the files are right. */
  private warn(error: unknown): void {
    const problem = String(error);
    if (problem !== this.lastProblem) {
      this.logger.error('SIP certificate not read again, the one before stays', { err: error });
    }
    this.lastProblem = problem;
  }
}
