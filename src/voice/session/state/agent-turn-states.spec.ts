import { describe, expect, it } from '@jest/globals';
import {
  AGENT_TURN_EVENTS,
  AGENT_TURN_MOVES,
  type AgentTurnEvent,
  type AgentTurnState,
  expectsWords,
  hasNothingToSay,
  INITIAL_TURN,
  isAnswering,
  isBusy,
  isHeldUp,
  isIdle,
  isOver,
  isQuiet,
  isSounding,
  mayAnswer,
  nextTurn,
  overhearsWords,
  pausesReplyTime,
  shownTurn,
  type TurnRegion,
} from './agent-turn-states.js';

/** Every way through each region, from its first state; an arrow names the event. */
const PATHS: Readonly<Record<TurnRegion, readonly string[]>> = {
  call: ['open -call-ended> over -session-closed> closed', 'open -session-closed> closed'],
  customer: [
    'silent -customer-started> speaking -customer-stopped> silent',
    'silent -customer-started> speaking -model-lost> silent',
  ],
  hold: [
    'none -hold-began> on-hold -hold-ended> none',
    'none -hold-began> on-hold -parties-joined> joined',
    'none -parties-joined> joined',
  ],
  line: ['open -line-held> held -line-resumed> open', 'open -line-held> held -call-ended> open'],
  speaker: [
    'assistant -person-took-over> person -person-left> assistant',
    'assistant -person-took-over> person -parties-joined> assistant',
  ],
  owed: ['nothing -answer-cut-off> answer -answer-requested> nothing'],
  answerer: ['person -machine-answered> machine -person-answered> person'],
  reply: [
    'none -reply-due> due -reply-over> none',
    'none -reply-due> due -sound-heard> none',
    'none -reply-due> due -model-replaced> none',
    'none -reply-due> due -agent-changed> none',
    'none -reply-due> due -call-ended> none',
    'none -reply-due> due -session-closed> none',
  ],
  model: [
    'settled -model-asked> asked -sound-heard> settled',
    'settled -model-asked> asked -model-replaced> settled',
    'settled -model-asked> asked -agent-changed> settled',
  ],
  fault: [
    'none -model-failed> answer-failed -sound-heard> none',
    'none -model-failed> answer-failed -model-replaced> none',
    'none -model-failed> answer-failed -agent-changed> none',
  ],
  engine: [
    'listening -engine-thinking> thinking -engine-speaking> speaking -engine-listening> listening',
    'listening -engine-speaking> speaking -engine-thinking> thinking -engine-listening> listening',
    'listening -model-lost> replacing -model-replaced> listening -engine-stopped> stopped',
    'listening -engine-thinking> thinking -model-lost> replacing',
    'listening -engine-speaking> speaking -model-lost> replacing',
    'listening -engine-thinking> thinking -engine-stopped> stopped',
    'listening -engine-speaking> speaking -engine-stopped> stopped',
  ],
  speeches: ['none -speeches-began> open -speeches-ended> none'],
  sound: [
    'silent -sound-queued> queued -sound-heard> heard -sound-ended> silent',
    'silent -sound-queued> queued -sound-ended> silent',
    'silent -sound-heard> heard -sound-next> queued',
  ],
  filler: ['silent -filler-began> playing -filler-ended> silent'],
  tools: ['none -tools-began> running -tools-ended> none'],
  actions: ['none -actions-began> running -actions-ended> none'],
  queue: ['empty -queue-began> speaking -queue-ended> empty'],
  handover: ['unheard -handover-heard> heard -handover-unheard> unheard'],
};
const REGIONS = Object.keys(INITIAL_TURN) as TurnRegion[];

interface Step {
  readonly from: string;
  readonly event: AgentTurnEvent;
  readonly to: string;
}

function stepsOf(path: string): Step[] {
  const [first, ...rest] = path.split(' ');
  let from = first ?? '';
  const steps: Step[] = [];
  for (let i = 0; i < rest.length; i += 2) {
    const [arrow = '', to = ''] = rest.slice(i, i + 2);
    steps.push({ from, event: arrow.slice(1, -1) as AgentTurnEvent, to });
    from = to;
  }
  return steps;
}

const keyOf = ({ from, event, to }: Step) => `${from} -${event}> ${to}`;
const after = (...events: readonly AgentTurnEvent[]): AgentTurnState =>
  events.reduce((state, event) => nextTurn(state, event), INITIAL_TURN);

describe('the moves of an assistant’s turn', () => {
  const paths = REGIONS.flatMap((region) => PATHS[region].map((path) => [region, path] as const));

  it.each(paths)('take the region %s along %s', (region, path) => {
    let state: AgentTurnState = INITIAL_TURN;
    for (const { from, event, to } of stepsOf(path)) {
      expect(state[region]).toBe(from);
      state = nextTurn(state, event);
      expect(state[region]).toBe(to);
    }
  });

  it.each(REGIONS)('list no move of the region %s that is on none of these ways', (region) => {
    const rows = Object.entries<Partial<Record<AgentTurnEvent, string>>>(AGENT_TURN_MOVES[region]);
    const moves = rows.flatMap(([from, row]) =>
      Object.entries(row).map(([event, to]) => keyOf({ from, event: event as AgentTurnEvent, to })),
    );
    const walked = new Set(PATHS[region].flatMap((path) => stepsOf(path).map(keyOf)));
    expect(moves.toSorted()).toEqual([...walked].toSorted());
  });

  it.each(REGIONS)('reach every state of the region %s', (region) => {
    const reached = PATHS[region].flatMap((path) => stepsOf(path).flatMap(({ from, to }) => [from, to]));
    expect(new Set(reached)).toEqual(new Set(Object.keys(AGENT_TURN_MOVES[region])));
  });

  it.each(AGENT_TURN_EVENTS)('give the event %s a meaning in some state', (event) => {
    const rows = REGIONS.flatMap((region) =>
      Object.values<Partial<Record<AgentTurnEvent, string>>>(AGENT_TURN_MOVES[region]),
    );
    expect(rows.some((row) => row[event] !== undefined)).toBe(true);
  });

  it('leave the state as it is where an event means nothing', () => {
    expect(nextTurn(INITIAL_TURN, 'tools-ended')).toBe(INITIAL_TURN);
  });

  it('move several regions with one event', () => {
    const state = after('model-asked', 'model-failed', 'reply-due', 'sound-heard');
    expect(state).toMatchObject({ model: 'settled', fault: 'none', reply: 'none', sound: 'heard' });
  });
});

describe('an assistant that becomes idle', () => {
  it('owes no reply any more', () => {
    const state = after('reply-due', 'tools-began');
    expect(nextTurn(state, 'tools-ended').reply).toBe('none');
  });

  it('still owes it while a lost model is being replaced', () => {
    const busy = after('speeches-began', 'engine-thinking', 'reply-due');
    expect(nextTurn(busy, 'model-lost').reply).toBe('due');
  });

  it('still owes it while something else is running', () => {
    const busy = after('actions-began', 'tools-began', 'reply-due');
    expect(nextTurn(busy, 'tools-ended').reply).toBe('due');
  });
});

describe('the guards', () => {
  it('know that the call is over, and that the session is closed', () => {
    expect([isOver(INITIAL_TURN), isOver(after('call-ended')), isOver(after('session-closed'))]).toEqual([
      false,
      true,
      true,
    ]);
  });

  it.each<AgentTurnEvent>(['hold-began', 'parties-joined', 'line-held', 'person-took-over'])(
    'understand no words after %s',
    (event) => {
      expect(isHeldUp(after(event))).toBe(true);
      expect(expectsWords(after(event))).toBe(false);
      expect(mayAnswer(after(event))).toBe(false);
      expect(isQuiet(after(event))).toBe(false);
      expect(pausesReplyTime(after(event))).toBe(true);
    },
  );

  it('write down what the customer says to a person, while both hear each other', () => {
    expect(overhearsWords(INITIAL_TURN)).toBe(false);
    expect(overhearsWords(after('person-took-over'))).toBe(true);
    expect(overhearsWords(after('person-took-over', 'line-held'))).toBe(false);
    expect(overhearsWords(after('person-took-over', 'person-left'))).toBe(false);
  });

  it('understand no words of a machine, and those of the person who comes after it', () => {
    expect(expectsWords(after('machine-answered'))).toBe(false);
    expect(expectsWords(after('machine-answered', 'person-answered'))).toBe(true);
  });

  it('answer no typed words while tools run, or after the call', () => {
    expect(mayAnswer(INITIAL_TURN)).toBe(true);
    expect(mayAnswer(after('tools-began'))).toBe(false);
    expect(mayAnswer(after('call-ended'))).toBe(false);
  });

  it('take an engine that thinks without an open speech for idle', () => {
    expect(isBusy(after('engine-thinking'))).toBe(false);
    expect(isBusy(after('engine-thinking', 'speeches-began'))).toBe(true);
    expect(isBusy(after('engine-speaking', 'speeches-began'))).toBe(true);
    expect(isBusy(after('speeches-began'))).toBe(false);
  });

  it('are busy with tools, actions and speech on the line, and not with a filler', () => {
    expect(
      (['tools-began', 'actions-began', 'sound-queued'] as const).map((on) => isBusy(after(on))),
    ).toEqual([true, true, true]);
    const filler = after('filler-began');
    expect([isBusy(filler), isSounding(filler), isIdle(filler), isQuiet(filler)]).toEqual([
      false,
      true,
      false,
      false,
    ]);
  });

  it('are idle and quiet only while the customer says nothing', () => {
    const speaks = after('customer-started');
    expect([isIdle(INITIAL_TURN), isQuiet(INITIAL_TURN)]).toEqual([true, true]);
    expect([isIdle(speaks), isQuiet(speaks), pausesReplyTime(speaks)]).toEqual([false, false, true]);
  });

  it('count the time of a filler to the wait for an answer', () => {
    expect(pausesReplyTime(after('filler-began'))).toBe(false);
    expect(pausesReplyTime(after('sound-queued'))).toBe(true);
  });

  it('cut off an answer by a hold, unless a text is said again after it', () => {
    expect(
      (['tools-began', 'sound-heard', 'model-asked'] as const).map((on) => isAnswering(after(on))),
    ).toEqual([true, true, true]);
    expect(isAnswering(INITIAL_TURN)).toBe(false);
    expect(isAnswering(after('sound-heard', 'queue-began'))).toBe(false);
  });

  it.each<AgentTurnEvent>(['model-failed', 'tools-began', 'speeches-began', 'model-lost'])(
    'expect more of a realtime model after %s',
    (event) => {
      expect(hasNothingToSay(INITIAL_TURN)).toBe(true);
      expect(hasNothingToSay(after(event))).toBe(false);
    },
  );
});

describe('what the customer sees', () => {
  it.each([
    ['listening', []],
    ['thinking', ['reply-due']],
    ['thinking', ['tools-began']],
    ['thinking', ['tools-began', 'sound-queued']],
    ['listening', ['reply-due', 'hold-began']],
    ['speaking', ['sound-heard']],
    ['speaking', ['reply-due', 'filler-began']],
    ['listening', ['sound-heard', 'sound-next']],
    ['listening', ['sound-heard', 'sound-ended']],
    ['listening', ['reply-due', 'person-took-over']],
  ] as const)('is %s after %p', (shown, events) => {
    expect(shownTurn(after(...events))).toBe(shown);
  });
});
