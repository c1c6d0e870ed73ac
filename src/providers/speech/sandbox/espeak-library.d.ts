// The package has no types of its own. It is optional: only the speech process loads it.
declare module '@echogarden/espeak-ng-emscripten' {
  interface EspeakWorker {
    rate: number;
    readonly samplerate: number;
    /** 0 when the voice exists. */
    set_voice(name: string): number;
    /** Calls back with pieces of PCM16; returning a truthy value ends it. */
    synthesize(text: string, onAudio: (audio: ArrayLike<number> | null) => number): void;
  }
  interface EspeakModule {
    eSpeakNGWorker: new () => EspeakWorker | Promise<EspeakWorker>;
  }
  export default function load(options: { locateFile(path: string): string }): Promise<EspeakModule>;
}
