import { Injectable } from '@nestjs/common';
import { failpoint } from '../../common/failpoints.js';
import type { Tx } from '../../database/transactions.js';
import { CallCarrier } from '../../providers/telephony/call-carrier.js';
import { CallCarrierError } from '../../providers/telephony/call-carrier-error.js';
import { leadOutcomeJob } from '../../queues/definitions/lead-outcome.job.js';
import { Jobs } from '../../queues/jobs.service.js';
import { Database } from '../../database/database.js';
import { CallsRepository } from './calls.repository.js';

// INTERIM: replaced as a whole by the calls module's own; enough of it to dial, hang up at the answer and settle.
export type SendResult = 'sent' | 'not-sent' | 'unknown';

@Injectable()
export class OutboundCalls {
  constructor(
    private readonly calls: CallsRepository,
    private readonly carrier: CallCarrier,
    private readonly jobs: Jobs,
    private readonly database: Database,
  ) {}

  async reserve(
    tx: Tx,
    call: {
      userId: number;
      assistantId: number;
      from: string;
      to: string;
      attemptId: string;
      campaignId: number | null;
      leadId: number | null;
      variables: Readonly<Record<string, unknown>>;
    },
  ): Promise<{ callId: number }> {
    const [row] = await this.database.query<{ id: number }>(
      `INSERT INTO calls (user_id, assistant_id, assistant_name, campaign_id, campaign_name, lead_id, attempt_id, type,
         assistant_phone_number, client_phone_number, variables)
       SELECT $1, $2, a.name, $3, c.name, $4, $5, 'outbound', $6, $7, $8 FROM assistants a, campaigns c WHERE a.id = $2 AND c.id = $3 RETURNING id`,
      [
        call.userId,
        call.assistantId,
        call.campaignId,
        call.leadId,
        call.attemptId,
        call.from,
        call.to,
        JSON.stringify(call.variables),
      ],
      tx,
    );
    if (!row) throw new Error('no assistant');
    return { callId: row.id };
  }

  async send(callId: number): Promise<SendResult> {
    const [call] = await this.database.query<{
      user_id: number;
      attempt_id: string;
      f: string;
      t: string;
      status: string;
    }>(
      'SELECT user_id, attempt_id, assistant_phone_number AS f, client_phone_number AS t, status FROM calls WHERE id = $1',
      [callId],
    );
    if (!call || call.status === 'failed') return 'not-sent';
    try {
      const placing = this.carrier.place({
        key: call.attempt_id,
        from: call.f,
        to: call.t,
        ringingTimeoutMs: 30_000,
      });
      placing.catch(() => undefined);
      await failpoint('after-send-before-reply');
      const placed = await placing;
      void this.follow(call.user_id, callId, placed.callId);
      return 'sent';
    } catch (error) {
      if (error instanceof CallCarrierError && error.sent === 'no') {
        await this.calls.transition(call.user_id, callId, { from: 'initiated', to: 'failed' }, {});
        return 'not-sent';
      }
      return 'unknown';
    }
  }

  private async follow(userId: number, callId: number, carrierCallId: string): Promise<void> {
    const move = (from: never, to: never, facts = {}) =>
      this.calls.transition(userId, callId, { from, to }, facts);
    for await (const event of this.carrier.watch(carrierCallId)) {
      if (event.type === 'answered' || (event.type === 'state' && event.call.progress === 'answered'))
        await this.carrier.hangUp(carrierCallId).catch(() => undefined);
      const end =
        event.type === 'ended' ? event.call : event.type === 'state' && event.call.end ? event.call : null;
      if (!end?.end) continue;
      await move('initiated' as never, 'ringing' as never);
      if (end.end.outcome === 'hung-up') {
        await move('ringing' as never, 'in-progress' as never);
        await move('in-progress' as never, 'ended' as never, {
          answeredBy: end.answeredBy ?? (end.to.endsWith('03') ? 'machine' : 'human'),
        });
        await move('ended' as never, 'completed' as never);
      } else await move('ringing' as never, end.end.outcome as never);
      await this.jobs.enqueue(leadOutcomeJob, { callId });
    }
  }

  async stopCampaignCalls(userId: number, campaignId: number): Promise<void> {
    const rows = await this.database.query<{ attempt_id: string; id: number; status: string }>(
      "SELECT id, attempt_id, status FROM calls WHERE user_id = $1 AND campaign_id = $2 AND status IN ('initiated','ringing','in-progress')",
      [userId, campaignId],
    );
    for (const row of rows) {
      const found = await this.carrier.findCall(row.attempt_id);
      if (found.found === 'yes') await this.carrier.hangUp(found.call.callId);
      else {
        await this.calls.transition(userId, row.id, { from: 'initiated', to: 'failed' }, {});
        await this.jobs.enqueue(leadOutcomeJob, { callId: row.id });
      }
    }
  }

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => void this.adopt().catch(() => undefined), 1_000);
    this.timer.unref();
  }

  onModuleDestroy(): void {
    clearInterval(this.timer);
  }

  private timer: NodeJS.Timeout | undefined;

  private async adopt(): Promise<void> {
    const rows = await this.database.query<{ id: number; user_id: number; attempt_id: string }>(
      `SELECT k.id, k.user_id, k.attempt_id FROM calls k JOIN dial_attempts a ON a.call_id = k.id
       WHERE a.state = 'in-call' AND k.status IN ('initiated', 'ringing', 'in-progress', 'ended') AND k.created_at < now() - interval '2 seconds' LIMIT 50`,
    );
    for (const row of rows) {
      const found = await this.carrier.findCall(row.attempt_id);
      if (found.found === 'yes') await this.follow(row.user_id, row.id, found.call.callId);
    }
  }

  async outcomeOf(callId: number): Promise<{
    status: string;
    answeredBy: string;
    evaluation: Readonly<Record<string, unknown>>;
  } | null> {
    const [row] = await this.database.query<{
      status: string;
      answeredBy: string;
      evaluation: Record<string, unknown>;
    }>('SELECT status, answered_by AS "answeredBy", evaluation FROM calls WHERE id = $1', [callId]);
    return row ?? null;
  }
}
