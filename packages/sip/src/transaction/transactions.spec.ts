import { beforeEach, describe, expect, it } from '@jest/globals';
import { VirtualClock } from '@prosa/testing';
import { SipRequest, SipResponse } from '../message/sip-message.js';
import { parseSipMessage } from '../message/sip-parser.js';
import { type SipEndpoint, SipTransportError } from '../transport/sip-endpoint.js';
import {
  type ClientTransaction,
  InviteClientTransaction,
  NonInviteClientTransaction,
} from './client-transaction.js';
import { InviteServerTransaction, NonInviteServerTransaction } from './server-transaction.js';
import { SIP_TIMERS } from './sip-timers.js';
import type { TransactionContext } from './transaction-context.js';

const UDP: SipEndpoint = { protocol: 'udp', address: '192.0.2.9', port: 5060 };
const TCP: SipEndpoint = { ...UDP, protocol: 'tcp' };

function requestOf(method: string): SipRequest {
  const request = new SipRequest(method, 'sip:1@192.0.2.9');
  request.headers
    .set('via', 'SIP/2.0/UDP 192.0.2.1;branch=z9hG4bKx;rport')
    .set('from', '<sip:2@a>;tag=a')
    .set('to', '<sip:1@b>')
    .set('call-id', 'c')
    .set('cseq', `1 ${method}`);
  return request;
}

describe('transactions', () => {
  let clock: VirtualClock;
  let sent: { readonly atMs: number; readonly line: string }[];
  let refuses: boolean;
  let context: TransactionContext;
  let heard: string[];
  let unanswered: string[];

  beforeEach(() => {
    clock = new VirtualClock();
    sent = [];
    heard = [];
    unanswered = [];
    refuses = false;
    const note = (bytes: Buffer) =>
      sent.push({ atMs: clock.nowMs(), line: bytes.toString('latin1').split('\r\n')[0]! });
    context = {
      clock,
      timers: SIP_TIMERS,
      send: (bytes) => {
        note(bytes);
        return refuses ? Promise.reject(new SipTransportError(UDP)) : Promise.resolve();
      },
      respond: note,
      onRetransmission: () => {},
      onUnanswered: (method, { protocol }, silentMs) => unanswered.push(`${method} ${protocol} ${silentMs}`),
    };
  });

  const pass = (delayMs: number) =>
    clock.until(new Promise<void>((resolve) => void clock.after(delayMs, resolve)));
  const times = () => sent.map(({ atMs }) => atMs);

  function client(method: string, endpoint: SipEndpoint): ClientTransaction {
    const request = requestOf(method);
    const Transaction = method === 'INVITE' ? InviteClientTransaction : NonInviteClientTransaction;
    const transaction = new Transaction(
      context,
      { request, bytes: request.serialize(), endpoint },
      {
        onResponse: ({ status }) => heard.push(String(status)),
        onFailure: (failure) => heard.push(failure),
      },
    );
    transaction.onTerminated = () => heard.push('terminated');
    transaction.start();
    return transaction;
  }

  const response = (status: number, tag = 'b') => SipResponse.to(requestOf('INVITE'), status, tag);

  it('repeats an INVITE at doubling intervals, and gives up after 32 s (timers A and B)', async () => {
    client('INVITE', UDP);
    await pass(40_000);
    expect(times()).toEqual([0, 500, 1_500, 3_500, 7_500, 15_500, 31_500]);
    expect(heard).toEqual(['terminated', 'timeout']);
  });

  it('repeats other requests at most every 4 s (timers E and F)', async () => {
    client('OPTIONS', UDP);
    await pass(40_000);
    expect(times()).toEqual([0, 500, 1_500, 3_500, 7_500, 11_500, 15_500, 19_500, 23_500, 27_500, 31_500]);
    expect(heard).toEqual(['terminated', 'timeout']);
  });

  it('repeats nothing on a stream', async () => {
    client('INVITE', TCP);
    client('OPTIONS', TCP);
    await pass(40_000);
    expect(times()).toEqual([0, 0]);
  });

  it('reports only requests without any answer, so that their connection may be replaced', async () => {
    const transaction = client('OPTIONS', TCP);
    client('INVITE', TCP).receive(response(486));
    await pass(31_900);
    expect(unanswered).toEqual([]);
    await pass(200);
    expect([transaction.state, unanswered]).toEqual(['terminated', ['OPTIONS tcp 16000']]);
  });

  it('stops repeating an INVITE with the first provisional response, and waits as long as it rings', async () => {
    const transaction = client('INVITE', UDP);
    await pass(600);
    transaction.receive(response(180));
    await pass(170_000);
    expect(times()).toEqual([0, 500]);
    expect(transaction.state).toBe('proceeding');
  });

  it('waits for the end of a cancelled INVITE for 32 s', async () => {
    const transaction = new InviteClientTransaction(
      context,
      { request: requestOf('INVITE'), bytes: Buffer.from('INVITE'), endpoint: UDP },
      {
        onResponse: ({ status }) => heard.push(String(status)),
        onFailure: (failure) => heard.push(failure),
      },
    );
    transaction.start();
    // Not before the first response, and once.
    expect(transaction.cancel()).toBe(false);
    transaction.receive(response(180));
    await pass(100_000);
    expect([transaction.cancel(), transaction.cancel()]).toEqual([true, false]);
    await pass(31_900);
    transaction.receive(response(180));
    expect(transaction.state).toBe('proceeding');
    await pass(200);
    expect([transaction.state, heard]).toEqual(['terminated', ['180', '180', 'timeout']]);
  });

  it('goes on repeating other requests every 4 s after a provisional response', async () => {
    const transaction = client('OPTIONS', UDP);
    await pass(400);
    transaction.receive(response(100));
    await pass(9_000);
    expect(times()).toEqual([0, 500, 4_500, 8_500]);
  });

  it('acknowledges a refusal, and each repetition of it, for 32 s (timer D)', async () => {
    const transaction = client('INVITE', UDP);
    transaction.receive(response(486));
    await pass(10_000);
    transaction.receive(response(486));
    expect(sent.map(({ line }) => line.split(' ')[0])).toEqual(['INVITE', 'ACK', 'ACK']);
    await pass(23_000);
    expect(heard).toEqual(['486', 'terminated']);
  });

  it('hands every 2xx up for 32 s (timer M of RFC 6026)', async () => {
    const transaction = client('INVITE', UDP);
    transaction.receive(response(200));
    await pass(4_000);
    transaction.receive(response(200));
    transaction.receive(response(200, 'fork'));
    transaction.receive(response(486));
    expect(heard).toEqual(['200', '200', '200']);
    expect(sent).toHaveLength(1);
    await pass(29_000);
    expect(transaction.state).toBe('terminated');
  });

  it('tells at once that a request cannot be sent', async () => {
    refuses = true;
    client('INVITE', TCP);
    await pass(1);
    expect(heard).toEqual(['terminated', 'transport']);
  });

  it('repeats a refusal of an INVITE until its ACK (timers G, H and I)', async () => {
    const transaction = new InviteServerTransaction(context, requestOf('INVITE'), UDP);
    transaction.respond(response(486));
    await pass(8_000);
    expect(times()).toEqual([0, 500, 1_500, 3_500, 7_500]);
    transaction.acknowledge();
    await pass(4_900);
    expect([transaction.state, sent.length]).toEqual(['confirmed', 5]);
    await pass(200);
    expect(transaction.state).toBe('terminated');
  });

  it('gives up a refusal that is not acknowledged within 32 s', async () => {
    const transaction = new InviteServerTransaction(context, requestOf('INVITE'), UDP);
    transaction.respond(response(486));
    await pass(33_000);
    expect(times().at(-1)).toBe(31_500);
    expect(transaction.state).toBe('terminated');
  });

  it('answers a repeated INVITE with the last response, and none after the 2xx', () => {
    const transaction = new InviteServerTransaction(context, requestOf('INVITE'), UDP);
    transaction.respond(response(180));
    transaction.receiveAgain();
    expect(sent.map(({ line }) => line)).toEqual(['SIP/2.0 180 Ringing', 'SIP/2.0 180 Ringing']);
    transaction.respond(response(200));
    transaction.receiveAgain();
    transaction.respond(response(486));
    expect(sent).toHaveLength(3);
    transaction.retransmitAccepted();
    expect(sent.at(-1)?.line).toBe('SIP/2.0 200 OK');
  });

  it('answers a repeated request again for 32 s on UDP, and forgets it at once on a stream (timer J)', async () => {
    const udp = new NonInviteServerTransaction(context, requestOf('OPTIONS'), UDP);
    const tcp = new NonInviteServerTransaction(context, requestOf('OPTIONS'), TCP);
    udp.respond(response(200));
    tcp.respond(response(200));
    await pass(1);
    expect([udp.state, tcp.state]).toEqual(['completed', 'terminated']);
    udp.receiveAgain();
    expect(sent).toHaveLength(3);
    await pass(32_000);
    expect(udp.state).toBe('terminated');
  });

  it('forgets an unanswered request when its sender has given up', async () => {
    const silent = new NonInviteServerTransaction(context, requestOf('UPDATE'), TCP);
    const slow = new NonInviteServerTransaction(context, requestOf('UPDATE'), TCP);
    slow.respond(response(100));
    await pass(31_900);
    expect([silent.state, slow.state]).toEqual(['trying', 'proceeding']);
    await pass(200);
    silent.respond(response(200));
    expect([silent.state, slow.state, sent.length]).toEqual(['terminated', 'terminated', 1]);
  });

  it('sends the ACK of a refusal on the branch and the way of its INVITE', () => {
    const request = requestOf('INVITE');
    request.headers.set('route', ['<sip:p;lr>', '<sip:q;lr>']);
    const bytes: Buffer[] = [];
    const endpoint = UDP;
    const own = { ...context, send: (message: Buffer) => Promise.resolve(void bytes.push(message)) };
    const transaction = new InviteClientTransaction(
      own,
      { request, bytes: request.serialize(), endpoint },
      {
        onResponse: () => {},
        onFailure: () => {},
      },
    );
    transaction.start();
    transaction.receive(response(404));
    const parsed = parseSipMessage(bytes[1]!);
    if (parsed.kind !== 'message') throw new Error(parsed.reason);
    expect(parsed.message.branch).toBe('z9hG4bKx');
    expect(parsed.message.headers.all('route')).toEqual(['<sip:p;lr>', '<sip:q;lr>']);
    expect(parsed.message.toTag).toBe('b');
    transaction.terminate();
  });
});
