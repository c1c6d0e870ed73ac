declare module '@echogarden/rnnoise-wasm' {
  /** Compiles and starts a module of RNNoise. */
  export default function createRnnoise(): Promise<unknown>;
}
