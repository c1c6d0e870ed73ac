// `npm run test:soak -- <minutes>`: mixed load at a moderate rate; what the processes and the database hold must stay flat.
import { Judge } from './load/judge.js';
import { Load } from './load/load.js';
import { SideLoad } from './load/side-load.js';
import { brokenPromises, comeToRest } from './load/verdict.js';
import { growing, sampled } from './samples.js';
import { fail, say } from './say.js';
import { Testbed } from './testbed/testbed.js';
import { type Series, TABLES_THAT_GROW } from './trend.js';

const REST_MS = 120_000;
/** About six requests a second: a third of a small machine. */
const LOAD = {
  chats: 10,
  thinkMs: 3e3,
  leadEveryMs: 3e3,
  callEveryMs: 1e4,
  importRows: 10,
  importEveryMs: 2e4,
};

const minutes = Number(process.argv[2] ?? 60);

async function main(): Promise<void> {
  const testbed = await Testbed.start({ isProbed: true });
  try {
    const judge = new Judge(testbed.contract);
    const load = await Load.prepare(testbed, judge, LOAD);
    const side = new SideLoad(testbed, judge);
    load.begin();
    side.begin();
    const series = await sampled([testbed.api, testbed.worker], testbed.cluster, minutes * 60_000);
    await side.end();
    await load.end();
    const restless = await comeToRest(testbed, REST_MS);
    report(series, load.requests + side.requests, [
      ...testbed.unwantedEnds,
      ...judge.violations,
      ...(restless === null ? [] : [`no rest within ${REST_MS} ms: ${restless}`]),
      ...(await brokenPromises(testbed, load.promises)),
    ]);
  } finally {
    await testbed.stop();
  }
}

function report(series: Series, requests: number, broken: readonly string[]): void {
  const grown = growing(series);
  for (const line of [...grown, ...broken]) say(line);
  say(
    JSON.stringify({
      minutes,
      requests,
      flat: grown.length === 0,
      growing: grown.length,
      broken: broken.length,
    }),
  );
  if (grown.length + broken.length > 0) fail('The soak failed.');
  else say(`Flat. Tables that grow with the work: ${TABLES_THAT_GROW.join(', ')}.`);
}

if (minutes > 0) await main();
else fail('Usage: npm run test:soak -- <minutes>');
