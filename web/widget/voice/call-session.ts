import { NOTICES } from '../../talk/sound/sound-texts.js';
import { WebCall, WebCallError, type WebCallEvents, type WebCallSound } from '../../talk/web-call.js';
import { whileStarting } from '../../talk/while-starting.js';
import type { PanelHost } from '../panel-contract';
import { Api, ApiError, type Widget } from '../panel/api';
import { solvedChallenge, variablesOf } from '../panel/conversation-opener';
import type { Problem, TextKey } from '../panel/texts/texts';
import type { VoiceTextKey } from './texts/en';

const WORKLETS = [
  new URL('../../talk/capture-worklet.js', import.meta.url).href,
  new URL('../../talk/playback-worklet.js', import.meta.url).href,
];

export interface Caption {
  readonly role: 'assistant' | 'customer';
  readonly text: string;
  readonly isFinal: boolean;
}

export type CallPhase = 'waiting' | 'connecting' | 'running' | 'ended';
export type CallActivity = 'listening' | 'thinking' | 'speaking' | 'reconnecting';
export type CallProblem = Problem<TextKey | VoiceTextKey>;

/** State of a call, immutable. */
export interface CallState {
  readonly phase: CallPhase;
  /** While it runs. */
  readonly activity: CallActivity;
  readonly isMuted: boolean;
  /** Oldest first. */
  readonly captions: readonly Caption[];
  /** Why the call failed or ended. */
  readonly problem: CallProblem | null;
  /** Sound problems, and the available microphones. */
  readonly sound: WebCallSound;
}

export const NO_CALL: CallState = {
  phase: 'waiting',
  activity: 'listening',
  isMuted: false,
  captions: [],
  problem: null,
  sound: { notice: null, microphones: [], microphone: '' },
};

/** Calls of a visitor with the assistant, one at a time. */
export class CallSession {
  private state = NO_CALL;
  private readonly api: Api;
  private call: WebCall | null = null;
  private callId: number | null = null;

  /** @param onLevel receives the speaker's volume, 0 to 1 */
  constructor(
    private readonly host: PanelHost,
    private readonly widget: Widget | null,
    private readonly onChange: (state: CallState) => void,
    private readonly onLevel: (level: number) => void,
  ) {
    this.api = new Api(host.server);
    // Otherwise the server would wait for a closed page.
    window.addEventListener('pagehide', this.hangUp);
  }

  /** Must run in a click handler: browsers block sound otherwise. */
  async begin(): Promise<void> {
    if (this.call) return;
    const call: WebCall = new WebCall({
      open: () => whileStarting(() => this.open(), { waitMsOf, isOver: () => call.isOver }),
      worklets: WORKLETS,
      needsMicrophone: true,
    });
    this.call = call;
    this.set({ ...NO_CALL, phase: 'connecting' });
    this.listenTo(call);
    try {
      await call.start();
    } catch (error) {
      if (this.call !== call) return;
      this.call = null;
      call.end('failed');
      this.set({ phase: 'ended', problem: problemOf(error), sound: NO_CALL.sound });
    }
  }

  mute(isMuted: boolean): void {
    this.call?.mute(isMuted);
    this.set({ isMuted });
  }

  /** Must run in a click handler, like `begin`. */
  retrySound(): void {
    this.call?.retrySound();
  }

  /** @param id as in `CallState.sound` */
  chooseMicrophone(id: string): void {
    this.call?.chooseMicrophone(id);
  }

  readonly hangUp = (): void => {
    this.call?.hangUp();
  };

  destroy(): void {
    window.removeEventListener('pagehide', this.hangUp);
    this.hangUp();
  }

  private listenTo(call: WebCall): void {
    const on = <Name extends keyof WebCallEvents>(
      name: Name,
      listener: (detail: WebCallEvents[Name]) => void,
    ) =>
      call.addEventListener(name, (event) => {
        if (call === this.call) listener((event as CustomEvent<WebCallEvents[Name]>).detail);
      });
    on('ready', () => this.ready());
    on('state', ({ state }) => this.set({ activity: state }));
    on('turn', ({ role, text, final }) => this.said({ role, text, isFinal: final }));
    on('level', ({ who, level }) => this.measured(who, level));
    on('sound', (sound) => this.set({ sound }));
    on('ended', ({ reason }) => this.ended(reason));
  }

  private ready(): void {
    const isFirst = this.state.phase === 'connecting';
    this.set({ phase: 'running', activity: 'listening' });
    if (isFirst && this.callId !== null) this.host.emit('call', { id: this.callId, state: 'begun' });
  }

  private ended(reason: string): void {
    const { phase } = this.state;
    this.call = null;
    const problem = reason === 'connection-lost' ? ({ key: 'callLost' } as const) : null;
    this.set({ phase: 'ended', problem, sound: NO_CALL.sound });
    if (phase === 'running' && this.callId !== null)
      this.host.emit('call', { id: this.callId, state: 'ended' });
  }

  /** A continued turn replaces its shown part. */
  private said(caption: Caption): void {
    const { captions } = this.state;
    const open = captions.findLastIndex(({ role, isFinal }) => role === caption.role && !isFinal);
    this.set({ captions: open === -1 ? [...captions, caption] : captions.with(open, caption) });
  }

  private measured(who: 'assistant' | 'customer', level: number): void {
    const { phase, activity } = this.state;
    if (phase === 'running' && (who === 'assistant') === (activity === 'speaking')) this.onLevel(level);
  }

  /** Opens the call within the limits of the assistant, like a conversation. */
  private async open(): Promise<{ url: string; token: string }> {
    let opened;
    try {
      opened = await this.ask(this.widget?.challenge_required ?? false);
    } catch (error) {
      // The challenge was enabled after this page was loaded.
      const isWorthWork = error instanceof ApiError && error.problem.key === 'challengeFailed';
      if (!isWorthWork) throw error;
      opened = await this.ask(true);
    }
    this.callId = opened.call_id;
    return opened;
  }

  private async ask(isChallenged: boolean) {
    const { assistantId, dataset } = this.host;
    const body = { assistant_id: assistantId, variables: variablesOf(dataset.variables) };
    if (!isChallenged) return this.api.call(body);
    const { challenge_token, challenge_solution } = await solvedChallenge(this.api, assistantId);
    return this.api.call({ ...body, challenge_token, challenge_solution });
  }

  private set(change: Partial<CallState>): void {
    this.state = { ...this.state, ...change };
    this.onChange(this.state);
  }
}

/** Wait before the next request to a starting server. */
function waitMsOf(error: unknown): number {
  const isStarting = error instanceof ApiError && error.status === 503;
  return isStarting ? (error.problem.waitSeconds ?? 0) * 1_000 : 0;
}

function problemOf(error: unknown): CallProblem {
  if (error instanceof WebCallError) {
    const isOfMicrophone = error.code !== 'refused' && error.code !== 'network';
    return { key: isOfMicrophone ? NOTICES[error.code].text : 'callUnavailable' };
  }
  if (!(error instanceof ApiError)) {
    console.error(error);
    return { key: 'callUnavailable' };
  }
  const { problem, status } = error;
  if (status === 429)
    return { key: 'callLimit', ...(problem.waitSeconds && { waitSeconds: problem.waitSeconds }) };
  return status === 0 || status === 403 || status === 404 ? problem : { key: 'callUnavailable' };
}
