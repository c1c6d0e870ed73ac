// The package has no types of its own. It is optional: only the process of local models loads it.
declare module 'sherpa-onnx-node' {
  interface Sound {
    readonly samples: Float32Array;
    readonly sampleRate: number;
  }
  interface Stream {
    acceptWaveform(sound: Sound): void;
    inputFinished(): void;
  }
  interface OfflineTts {
    generateAsync(request: {
      text: string;
      sid: number;
      speed: number;
      enableExternalBuffer: boolean;
    }): Promise<Sound>;
  }
  interface OfflineRecognizer {
    createStream(): Stream;
    decodeAsync(stream: Stream): Promise<{ text: string; lang?: string }>;
  }
  interface OnlineRecognizer {
    createStream(): Stream;
    isReady(stream: Stream): boolean;
    decode(stream: Stream): void;
    getResult(stream: Stream): { text: string };
  }
  const sherpa: {
    OfflineTts: { createAsync(config: object): Promise<OfflineTts> };
    OfflineRecognizer: { createAsync(config: object): Promise<OfflineRecognizer> };
    OnlineRecognizer: new (config: object) => OnlineRecognizer;
  };
  export default sherpa;
}
