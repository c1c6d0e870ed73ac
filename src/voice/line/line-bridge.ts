import { Resampler, type CallAudio } from '@prosa/audio';
import type { LineClock } from '../../providers/telephony/line-clock.js';
import type { SampleSource } from '../audio/sample-source.js';
import { LineMixer } from './line-mixer.js';
import { LiveSamples } from './live-samples.js';

/**
 * Joins a customer's line with a far end on another one: what either says the other hears, at the rate of their line. The
 * customer's own mixer plays `farEnd`; towards the far end there is a mixer of its own.
 */
export class LineBridge {
  private readonly toCustomer: LiveSamples;
  private readonly customer: LiveSamples;
  private readonly assistant: LiveSamples;
  private readonly fromFarEnd: Resampler;
  private readonly customerVoice: Resampler;
  private readonly assistantVoice: Resampler;
  private readonly mixer: LineMixer;
  private isOpen = true;

  /** @param customerRateHz of the frames that come and go on the customer's side */
  constructor(
    customerRateHz: number,
    private readonly audio: CallAudio,
    clock?: LineClock,
  ) {
    const { sampleRateHz } = audio;
    this.toCustomer = new LiveSamples(customerRateHz);
    this.customer = new LiveSamples(sampleRateHz);
    this.assistant = new LiveSamples(sampleRateHz);
    this.fromFarEnd = new Resampler(sampleRateHz, customerRateHz);
    this.customerVoice = new Resampler(customerRateHz, sampleRateHz);
    this.assistantVoice = new Resampler(customerRateHz, sampleRateHz);
    this.mixer = new LineMixer(audio, { speech: this.customer, ...(clock ? { clock } : {}) });
    this.mixer.surround(this.assistant);
  }

  /** What the far end says. */
  get farEnd(): SampleSource {
    return this.toCustomer;
  }

  /** Begins to carry sound. It ends by itself with the far end's. */
  start(): void {
    this.mixer.start();
    void this.listen();
  }

  customerSays(frame: Int16Array): void {
    this.customer.push(this.customerVoice.process(frame));
  }

  assistantSays(samples: Int16Array): void {
    this.assistant.push(this.assistantVoice.process(samples));
  }

  stop(): void {
    this.isOpen = false;
    this.mixer.stop();
  }

  private async listen(): Promise<void> {
    for await (const frame of this.audio.heard) {
      if (!this.isOpen) return;
      this.toCustomer.push(this.fromFarEnd.process(frame));
    }
    this.stop();
  }
}
