import { llm } from '@livekit/agents';
import { describe, expect, it } from '@jest/globals';
import type { TranscriptTurn } from '../../../runtime/call/session/call-setup.js';
import { TranscriptWriter } from './transcript-writer.js';

function listening() {
  const reported: TranscriptTurn[] = [];
  const turns = new TranscriptWriter(
    () => 1_000,
    (turn) => reported.push(turn),
  );
  return { turns, reported };
}

describe('TranscriptWriter', () => {
  it('keeps what the customer said last when the call ends before an answer', () => {
    const { turns, reported } = listening();
    turns.customerHeard('Quero marcar');
    turns.customerHeard('uma consulta.');
    turns.keepUnanswered();
    turns.keepUnanswered();
    expect(reported).toMatchObject([{ speaker: 'customer', text: 'Quero marcar uma consulta.' }]);
  });

  it('reports words once that became a message', () => {
    const { turns, reported } = listening();
    turns.customerHeard('Bom dia.');
    turns.added(llm.ChatMessage.create({ role: 'user', content: 'Bom dia.' }));
    turns.keepUnanswered();
    expect(reported).toMatchObject([{ speaker: 'customer', text: 'Bom dia.' }]);
  });

  it('leaves out dropped words', () => {
    const { turns, reported } = listening();
    turns.customerHeard('Deixe seu recado.');
    turns.dropUnanswered();
    turns.keepUnanswered();
    expect(reported).toEqual([]);
  });

  it('begins a turn where the customer spoke again after a backchannel, however long the pause was', () => {
    const turnsHeard: TranscriptTurn[] = [];
    let nowMs = 12_500;
    const turns = new TranscriptWriter(
      () => nowMs,
      (turn) => turnsHeard.push(turn),
    );
    turns.customerSpeaks();
    nowMs = 15_400;
    turns.customerIgnored();
    nowMs = 77_900;
    turns.customerSpeaks();
    nowMs = 79_100;
    const message = llm.ChatMessage.create({ role: 'user', content: 'Pronto, voltei.' });
    // The engine counts the backchannel to the next turn.
    message.metrics.startedSpeakingAt = Date.now() / 1_000 - 66.6;
    message.metrics.stoppedSpeakingAt = Date.now() / 1_000;
    turns.added(message);
    expect(turnsHeard).toMatchObject([{ text: 'Pronto, voltei.', startMs: 77_900 }]);
  });
});
