export type WebCallProblem = 'refused' | 'no-microphone' | 'microphone-denied' | 'insecure' | 'network';

/** Why a call could not be. */
export class WebCallError extends Error {
  constructor(code: WebCallProblem, detail?: string);
  readonly code: WebCallProblem;
}

export interface WebCallEvents {
  ready: object;
  state: { state: 'reconnecting' | 'thinking' | 'listening' };
  turn: { role: 'assistant' | 'customer'; text: string; final: boolean };
  /** 0 to 1. */
  level: { who: 'assistant' | 'customer'; level: number };
  problem: { code: WebCallProblem };
  ended: { reason: string };
}

/** One call between a page and an assistant; its events are CustomEvents of `WebCallEvents`. */
export class WebCall extends EventTarget {
  constructor(options: {
    open: () => Promise<{ url: string; token: string }>;
    worklets: readonly string[];
    needsMicrophone?: boolean;
  });
  readonly isOver: boolean;
  start(): Promise<WebCallError | null>;
  mute(isMuted: boolean): void;
  hangUp(): void;
  end(reason: string): void;
}
