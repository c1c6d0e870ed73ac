import type { WebCallNotice, WebCallSound } from '../web-call.js';

/** The microphone of one call. */
export class Microphone {
  /** @param context with the worklet `capture` */
  constructor(
    context: AudioContext,
    listener: {
      /** 20 ms of mono PCM16 at 24 kHz, and their level, 0 to 1. */
      onSound: (sound: { frame: ArrayBuffer; level: number }) => void;
      /** `notice`, `choices` or `current` may have changed. */
      onChange: () => void;
    },
  );
  readonly notice: WebCallNotice | null;
  /** Why there is no microphone. */
  readonly problem: WebCallNotice | null;
  /** Whether asking for a microphone anew may help. */
  readonly canRetry: boolean;
  readonly choices: WebCallSound['microphones'];
  /** The id of the choice that is heard; empty for the system's. */
  readonly current: string;
  /** Never rejects: `problem` says why there is no microphone. */
  open(): Promise<void>;
  retry(): Promise<void>;
  /** @param id of a choice; empty: the system's */
  choose(id: string): Promise<void>;
  close(): void;
}
