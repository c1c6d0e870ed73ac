import type { LocalEars, LocalVoice } from './local-models.js';

/** What the process of local models is asked for. Sound is mono, floats from -1 to 1. */
export type LocalRequest = { readonly id: number } & (
  | {
      readonly task: 'speak';
      readonly voice: LocalVoice;
      readonly speaker: number;
      readonly speed: number;
      readonly language: string;
      readonly text: string;
    }
  | {
      readonly task: 'hear';
      readonly ears: LocalEars;
      /** Of several, the model finds out which is spoken. */
      readonly language: string | null;
      readonly samples: Float32Array;
      readonly sampleRateHz: number;
    }
);

export type LocalReply = { readonly id: number } & (
  | { readonly samples: Float32Array; readonly sampleRateHz: number }
  | { readonly text: string; readonly language: string | null }
  | { readonly error: string }
);
