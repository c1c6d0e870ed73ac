// `npm run demo`: a Prosa of its own in a temporary folder calls 50 leads on the sandbox carrier, which places no
// real calls, and shows the results. Nothing is left behind.
// `npm run demo -- --voice`: three calls in sound instead, with people of the sandbox who speak and listen; their recordings stay.
// `npm run demo -- --sip`: the campaign over SIP, to sipp where it is installed, and once more on the sandbox, to compare.
// `npm run demo -- --leads 14`: fewer of them, 7 to 100.
import { parseArgs } from 'node:util';
import { showHelp } from './show-help.mjs';

showHelp(import.meta.url);

const { voice, sip, leads: named } = given();
const leads = Number(named);
if (!Number.isInteger(leads) || leads < 7 || leads > 100) {
  console.error('How many leads? For example: npm run demo -- --leads 14');
  process.exit(2);
}
if (voice) {
  const { demonstrateVoice } = await import('./demo-voice.mjs');
  await demonstrateVoice();
} else if (sip) {
  const { demonstrateSip } = await import('./demo-sip.mjs');
  await demonstrateSip();
} else {
  const { demonstrateCampaign } = await import('./demo-campaign.mjs');
  await demonstrateCampaign({ leads });
}

function given() {
  try {
    return parseArgs({
      options: {
        voice: { type: 'boolean', default: false },
        sip: { type: 'boolean', default: false },
        leads: { type: 'string', default: '50' },
      },
    }).values;
  } catch (error) {
    console.error(
      `${error instanceof Error ? error.message : String(error)}. For help: npm run demo -- --help`,
    );
    process.exit(2);
  }
}
