const TONES_HZ = [660, 880];
const TONE_SECONDS = 0.14;
const LOUDNESS = 0.08;

/** Plays two short tones. */
export function playTwoTones(): void {
  const audio = new AudioContext();
  const gain = audio.createGain();
  gain.gain.value = LOUDNESS;
  gain.connect(audio.destination);
  TONES_HZ.forEach((frequency, index) => {
    const tone = audio.createOscillator();
    tone.frequency.value = frequency;
    tone.connect(gain);
    tone.start(audio.currentTime + index * TONE_SECONDS);
    tone.stop(audio.currentTime + (index + 1) * TONE_SECONDS);
    if (index === TONES_HZ.length - 1) tone.addEventListener('ended', () => void audio.close());
  });
}
