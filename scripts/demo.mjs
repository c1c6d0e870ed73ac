// `npm run demo`: a Prosa of its own in a temporary folder calls 50 leads on the sandbox carrier, which dials nobody, and
// shows what became of them. Nothing is left behind.
// `npm run demo -- --voice`: three calls in sound instead, with people of the sandbox who speak and listen; their recordings stay.
import { parseArgs } from 'node:util';

const { values } = parseArgs({ options: { voice: { type: 'boolean', default: false } } });
if (values.voice) {
  const { demonstrateVoice } = await import('./demo-voice.mjs');
  await demonstrateVoice();
} else {
  const { demonstrateCampaign } = await import('./demo-campaign.mjs');
  await demonstrateCampaign();
}
