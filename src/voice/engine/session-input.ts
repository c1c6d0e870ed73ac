import { ReadableStream, type ReadableStreamDefaultController } from 'node:stream/web';
import { voice } from '@livekit/agents';
import { AudioFrame } from '@livekit/rtc-node';

/** What the engine may leave unread, in frames of 20 ms: five seconds, as after a pause of the process. What comes after that is lost. */
const MAX_WAITING_FRAMES = 250;

/** What a session hears. */
export class SessionInput extends voice.AudioInput {
  private controller: ReadableStreamDefaultController<AudioFrame> | null = null;
  private isOpen = true;
  /** Frames the engine was too slow for. */
  lostFrames = 0;

  constructor(private readonly sampleRateHz: number) {
    super();
    const source = new ReadableStream<AudioFrame>(
      {
        start: (controller) => {
          this.controller = controller;
        },
        cancel: () => {
          this.isOpen = false;
        },
      },
      { highWaterMark: MAX_WAITING_FRAMES },
    );
    this.multiStream.addInputStream(source);
  }

  push(samples: Int16Array): void {
    if (!this.isOpen || !this.controller || samples.length === 0) return;
    if ((this.controller.desiredSize ?? 0) <= 0) {
      this.lostFrames++;
      return;
    }
    this.controller.enqueue(new AudioFrame(samples, this.sampleRateHz, 1, samples.length));
  }

  /** Nothing more will be heard. */
  end(): void {
    if (!this.isOpen) return;
    this.isOpen = false;
    this.controller?.close();
  }
}
