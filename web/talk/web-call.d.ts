export type WebCallProblem = 'refused' | 'no-microphone' | 'microphone-denied' | 'insecure' | 'network';

/** Why a call could not be. */
export class WebCallError extends Error {
  constructor(code: WebCallProblem, detail?: string);
  readonly code: WebCallProblem;
}

/** Problems of a running call. The first three last until a microphone is available. */
export type WebCallNotice =
  | 'no-microphone'
  | 'microphone-denied'
  | 'insecure'
  /** The system or the headset mutes it: nothing but digital silence comes for five seconds. */
  | 'microphone-silent'
  /** Shown for a moment: the one before is gone, and another one is heard. */
  | 'microphone-replaced'
  /** Shown for a moment: the chosen one cannot be opened, and another one is heard. */
  | 'microphone-busy'
  /** The system has suspended the sound of the page. */
  | 'sound-paused';

export interface WebCallSound {
  notice: WebCallNotice | null;
  /** Empty where there is no choice. */
  microphones: readonly { id: string; label: string }[];
  /** The id of the one that is heard; empty for the system's. */
  microphone: string;
}

export interface WebCallEvents {
  ready: object;
  state: { state: 'reconnecting' | 'listening' | 'thinking' | 'speaking' };
  turn: { role: 'assistant' | 'customer'; text: string; final: boolean };
  /** 0 to 1. */
  level: { who: 'assistant' | 'customer'; level: number };
  sound: WebCallSound;
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
  start(): Promise<void>;
  mute(isMuted: boolean): void;
  /** To be called by a click. */
  retrySound(): void;
  /** @param id of one of `microphones`; empty: the system's */
  chooseMicrophone(id: string): void;
  hangUp(): void;
  end(reason: string): void;
}
