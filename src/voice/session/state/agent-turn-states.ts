import type { AssistantState } from '../../../providers/telephony/call/call-line.js';

/**
 * What an assistant on a line of sound does now. The regions are orthogonal: each has one state at a time, and an event may move
 * several of them.
 *
 * - `call`: the call itself; `closed` when the session has released the line
 * - `customer`: whether the customer speaks
 * - `hold`: whether we have put the customer on hold; `joined` with a third party, for good
 * - `line`: whether the remote party has put the line on hold
 * - `speaker`: `person` while one speaks to the customer in place of the assistant
 * - `owed`: whether a hold of the remote party has cut off an answer, which is due at its end
 * - `answerer`: `machine` from the moment that a message is to be left
 * - `reply`: whether the customer waits for an answer
 * - `model`: `asked` while a realtime model has the customer's words, and nothing of its answer was heard
 * - `fault`: whether the answer of a realtime model may have failed
 * - `engine`: what the engine's session reports; `replacing` while another one takes the place of a lost realtime model
 * - `speeches`: whether any speech of the engine is open
 * - `sound`: the assistant's speech on the line; `queued` before its first sound goes out
 * - `filler`: whether a phrase outside of the engine's speech is playing
 * - `tools`: whether tools run
 * - `actions`: whether anything runs that the call has requested
 * - `queue`: whether that is a text, or a turn which is said again after a loss of the engine's session
 * - `handover`: whether the words of an assistant that handed over were heard
 */
export interface AgentTurnState {
  readonly call: 'open' | 'over' | 'closed';
  readonly customer: 'silent' | 'speaking';
  readonly hold: 'none' | 'on-hold' | 'joined';
  readonly line: 'open' | 'held';
  readonly speaker: 'assistant' | 'person';
  readonly owed: 'nothing' | 'answer';
  readonly answerer: 'person' | 'machine';
  readonly reply: 'none' | 'due';
  readonly model: 'settled' | 'asked';
  readonly fault: 'none' | 'answer-failed';
  readonly engine: 'listening' | 'thinking' | 'speaking' | 'replacing' | 'stopped';
  readonly speeches: 'none' | 'open';
  readonly sound: 'silent' | 'queued' | 'heard';
  readonly filler: 'silent' | 'playing';
  readonly tools: 'none' | 'running';
  readonly actions: 'none' | 'running';
  readonly queue: 'empty' | 'speaking';
  readonly handover: 'unheard' | 'heard';
}

export const AGENT_TURN_EVENTS = [
  'call-ended',
  'session-closed',
  'customer-started',
  'customer-stopped',
  'hold-began',
  'hold-ended',
  'parties-joined',
  'line-held',
  'line-resumed',
  'person-took-over',
  'person-left',
  'answer-cut-off',
  'answer-requested',
  'machine-answered',
  'person-answered',
  'reply-due',
  'reply-over',
  'model-asked',
  'model-failed',
  'model-lost',
  'model-replaced',
  'agent-changed',
  'engine-listening',
  'engine-thinking',
  'engine-speaking',
  'engine-stopped',
  'speeches-began',
  'speeches-ended',
  'sound-queued',
  'sound-heard',
  'sound-next',
  'sound-ended',
  'filler-began',
  'filler-ended',
  'tools-began',
  'tools-ended',
  'actions-began',
  'actions-ended',
  'queue-began',
  'queue-ended',
  'handover-heard',
  'handover-unheard',
] as const;
export type AgentTurnEvent = (typeof AGENT_TURN_EVENTS)[number];

export type TurnRegion = keyof AgentTurnState;
export type RegionMoves<State extends string> = Readonly<
  Record<State, Readonly<Partial<Record<AgentTurnEvent, State>>>>
>;

export const INITIAL_TURN: AgentTurnState = {
  call: 'open',
  customer: 'silent',
  hold: 'none',
  line: 'open',
  speaker: 'assistant',
  owed: 'nothing',
  answerer: 'person',
  reply: 'none',
  model: 'settled',
  fault: 'none',
  engine: 'listening',
  speeches: 'none',
  sound: 'silent',
  filler: 'silent',
  tools: 'none',
  actions: 'none',
  queue: 'empty',
  handover: 'unheard',
};

/** Every move of every region. An event that a state does not list leaves the region as it is. */
export const AGENT_TURN_MOVES: {
  readonly [Region in TurnRegion]: RegionMoves<AgentTurnState[Region]>;
} = {
  call: {
    open: { 'call-ended': 'over', 'session-closed': 'closed' },
    over: { 'session-closed': 'closed' },
    closed: {},
  },
  customer: {
    silent: { 'customer-started': 'speaking' },
    speaking: { 'customer-stopped': 'silent', 'model-lost': 'silent' },
  },
  hold: {
    none: { 'hold-began': 'on-hold', 'parties-joined': 'joined' },
    'on-hold': { 'hold-ended': 'none', 'parties-joined': 'joined' },
    joined: {},
  },
  line: {
    open: { 'line-held': 'held' },
    held: { 'line-resumed': 'open', 'call-ended': 'open' },
  },
  speaker: {
    assistant: { 'person-took-over': 'person' },
    person: { 'person-left': 'assistant', 'parties-joined': 'assistant' },
  },
  owed: {
    nothing: { 'answer-cut-off': 'answer' },
    answer: { 'answer-requested': 'nothing' },
  },
  answerer: {
    person: { 'machine-answered': 'machine' },
    machine: { 'person-answered': 'person' },
  },
  reply: {
    none: { 'reply-due': 'due' },
    due: {
      'reply-over': 'none',
      'sound-heard': 'none',
      'model-replaced': 'none',
      'agent-changed': 'none',
      'call-ended': 'none',
      'session-closed': 'none',
    },
  },
  model: {
    settled: { 'model-asked': 'asked' },
    asked: { 'sound-heard': 'settled', 'model-replaced': 'settled', 'agent-changed': 'settled' },
  },
  fault: {
    none: { 'model-failed': 'answer-failed' },
    'answer-failed': { 'sound-heard': 'none', 'model-replaced': 'none', 'agent-changed': 'none' },
  },
  engine: {
    listening: {
      'engine-thinking': 'thinking',
      'engine-speaking': 'speaking',
      'engine-stopped': 'stopped',
      'model-lost': 'replacing',
    },
    thinking: {
      'engine-listening': 'listening',
      'engine-speaking': 'speaking',
      'engine-stopped': 'stopped',
      'model-lost': 'replacing',
    },
    speaking: {
      'engine-listening': 'listening',
      'engine-thinking': 'thinking',
      'engine-stopped': 'stopped',
      'model-lost': 'replacing',
    },
    replacing: { 'model-replaced': 'listening' },
    stopped: {},
  },
  speeches: {
    none: { 'speeches-began': 'open' },
    open: { 'speeches-ended': 'none' },
  },
  sound: {
    silent: { 'sound-queued': 'queued', 'sound-heard': 'heard' },
    queued: { 'sound-heard': 'heard', 'sound-ended': 'silent' },
    heard: { 'sound-next': 'queued', 'sound-ended': 'silent' },
  },
  filler: {
    silent: { 'filler-began': 'playing' },
    playing: { 'filler-ended': 'silent' },
  },
  tools: {
    none: { 'tools-began': 'running' },
    running: { 'tools-ended': 'none' },
  },
  actions: {
    none: { 'actions-began': 'running' },
    running: { 'actions-ended': 'none' },
  },
  queue: {
    empty: { 'queue-began': 'speaking' },
    speaking: { 'queue-ended': 'empty' },
  },
  handover: {
    unheard: { 'handover-heard': 'heard' },
    heard: { 'handover-unheard': 'unheard' },
  },
};

const REGIONS = Object.keys(INITIAL_TURN) as readonly TurnRegion[];

/** The state after an event; the same object where nothing moves. */
export function nextTurn(state: AgentTurnState, event: AgentTurnEvent): AgentTurnState {
  const moves = REGIONS.flatMap((region) => {
    const to = movesOf(region, state)[event];
    return to === undefined ? [] : [[region, to] as const];
  });
  if (moves.length === 0) return state;
  const next: AgentTurnState = { ...state, ...Object.fromEntries(moves) };
  // An assistant that has become idle answers nothing more, unless another model is about to take over.
  return isBusy(state) && !isBusy(next) && next.engine !== 'replacing' ? { ...next, reply: 'none' } : next;
}

function movesOf(
  region: TurnRegion,
  state: AgentTurnState,
): Readonly<Partial<Record<AgentTurnEvent, string>>> {
  const rows: Readonly<Record<string, Readonly<Partial<Record<AgentTurnEvent, string>>>>> =
    AGENT_TURN_MOVES[region];
  return rows[state[region]] ?? {};
}

export const isOver = ({ call }: AgentTurnState): boolean => call !== 'open';

/** Whether a person speaks to the customer in place of the assistant. */
export const isTakenOver = ({ speaker }: AgentTurnState): boolean => speaker === 'person';

/** Whether the customer does not hear the assistant, or the assistant does not hear the customer. */
export const isHeldUp = (state: AgentTurnState): boolean =>
  state.hold !== 'none' || state.line === 'held' || isTakenOver(state);

/** Whether what the customer says to a person is to be written down. */
export const overhearsWords = (state: AgentTurnState): boolean =>
  isTakenOver(state) && state.hold === 'none' && state.line === 'open';

/** Whether what the customer says is to be understood and answered. */
export const expectsWords = (state: AgentTurnState): boolean =>
  !isHeldUp(state) && state.answerer === 'person';

/** The engine may keep the state of a speech that it has dropped: without an open speech it is idle. */
const isEngaged = ({ engine, speeches }: AgentTurnState): boolean =>
  speeches === 'open' && (engine === 'thinking' || engine === 'speaking');

/** Whether the customer hears words, or waits for words that are ready. */
export const isSpeaking = ({ sound, filler }: AgentTurnState): boolean =>
  sound !== 'silent' || filler === 'playing';

/** Whether the engine thinks or speaks, or words of the assistant are on the line. */
export const isSounding = (state: AgentTurnState): boolean => isEngaged(state) || isSpeaking(state);

/** Whether the assistant says, thinks or does something; a filler alone does not count. */
export const isBusy = (state: AgentTurnState): boolean =>
  state.actions === 'running' || state.tools === 'running' || isEngaged(state) || state.sound !== 'silent';

/** Whether neither side says or does anything. */
export const isIdle = (state: AgentTurnState): boolean =>
  !isBusy(state) && state.filler === 'silent' && state.customer === 'silent' && expectsWords(state);

/** Whether a filler may be played. */
export const isQuiet = (state: AgentTurnState): boolean =>
  !isSpeaking(state) && state.customer === 'silent' && !isHeldUp(state);

/** Whether the time in which an answer must come is paused; a filler is no answer. */
export const pausesReplyTime = (state: AgentTurnState): boolean =>
  state.sound !== 'silent' || state.customer === 'speaking' || isHeldUp(state);

/** Whether the engine may be asked to answer words that were not spoken. */
export const mayAnswer = (state: AgentTurnState): boolean =>
  !isOver(state) && state.tools === 'none' && expectsWords(state);

/** Whether a hold of the remote party would cut off an answer. A text of the queue is said again instead. */
export const isAnswering = (state: AgentTurnState): boolean =>
  (state.tools === 'running' || isSounding(state) || state.model === 'asked') && state.queue === 'empty';

/** Whether nothing of a realtime model's answer is left to come. */
export const hasNothingToSay = ({ fault, tools, speeches, engine }: AgentTurnState): boolean =>
  fault === 'none' && tools === 'none' && speeches === 'none' && engine !== 'replacing';

/** What the customer sees the assistant do. */
export function shownTurn({ sound, filler, hold, speaker, reply, tools }: AgentTurnState): AssistantState {
  if (sound === 'heard' || filler === 'playing') return 'speaking';
  return hold === 'none' && speaker === 'assistant' && (reply === 'due' || tools === 'running')
    ? 'thinking'
    : 'listening';
}
