declare module '@evan/opus/wasm/index.js' {
  interface Control {
    /** Sets a parameter of libopus by its number (opus_defines.h). */
    ctl(request: number, value: number): number;
  }

  /** libopus compiled to WebAssembly; the memory of an instance is freed when it is collected. */
  export class Encoder implements Control {
    constructor(options: { channels: 1 | 2; sample_rate: number; application: 'voip' | 'audio' });
    ctl(request: number, value: number): number;
    /** @param samples PCM16 of one frame */
    encode(samples: ArrayBufferView): Uint8Array;
  }

  export class Decoder implements Control {
    constructor(options: { channels: 1 | 2; sample_rate: number });
    ctl(request: number, value: number): number;
    /** PCM16 of one packet. Throws for what is no Opus. */
    decode(packet: ArrayBufferView): Uint8Array;
  }
}
