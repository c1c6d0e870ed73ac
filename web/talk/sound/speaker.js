// The speaker of a page: plays the sound of a call as it comes, and nothing late.

/** Something comes 50 times a second. When nothing has for so long, the page was frozen, and what was missed comes at once. */
const FROZEN_MS = 3_000;
const MISSED_COMES_MS = 500;

/**
 * Opens the speaker of a call.
 *
 * @param {AudioContext} context with the worklet `playback`
 * @param {(played: { level: number, playedMs: number }) => void} onPlayed
 * @param {{ channels?: 1 | 2, isLive?: boolean }} [processorOptions] `isLive`: drops the oldest sound when more than 0.4 seconds
 * wait
 */
export function openSpeaker(context, onPlayed, processorOptions) {
  /** When something came last. */
  let aliveAt = Infinity;
  let liveAgainAt = 0;
  let isPlaying = false;
  const player = new AudioWorkletNode(context, 'playback', {
    numberOfInputs: 0,
    outputChannelCount: [2],
    processorOptions,
  });
  const { port } = player;
  player.connect(context.destination);
  port.addEventListener('message', ({ data }) => {
    noticeFreeze();
    onPlayed(data);
  });
  port.start();

  function noticeFreeze() {
    const now = Date.now();
    if (now - aliveAt > FROZEN_MS) liveAgainAt = now + MISSED_COMES_MS;
    aliveAt = now;
  }

  return {
    clear: () => port.postMessage('clear'),
    /**
     * What comes while the sound is suspended is not kept: a call is heard live, and its captions say what was missed.
     *
     * @param {ArrayBuffer} frame PCM16 at 24 kHz; it is moved to the audio thread
     */
    play(frame) {
      noticeFreeze();
      const wasPlaying = isPlaying;
      isPlaying = context.state === 'running' && aliveAt >= liveAgainAt;
      if (isPlaying) port.postMessage(frame, [frame]);
      else if (wasPlaying) this.clear();
    },
    close() {
      player.disconnect();
      port.close();
    },
  };
}
