import { once } from 'node:events';
import { parseArgs } from 'node:util';
import { orUsage } from './command-line.js';
import { SandboxCarrierServer } from '../providers/telephony/sandbox/sandbox-carrier-server.js';

const USAGE = `Usage: npm run sandbox-carrier -- [--port 4100] [--journal FILE] [--speed 1]

Runs the sandbox carrier in a process of its own, on loopback, and prints {"url":…} when it listens. Workers reach it by
SANDBOX_CARRIER_URL and must have the same SANDBOX_SPEED.
`;

const { values } = orUsage(USAGE, () => {
  const given = parseArgs({
    options: {
      port: { type: 'string', default: '4100' },
      journal: { type: 'string', default: '.prosa/sandbox-carrier/calls.jsonl' },
      speed: { type: 'string', default: '1' },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  const { port, speed } = given.values;
  if (!/^\d{1,5}$/.test(port) || Number(port) > 65_535)
    throw new TypeError('--port must be a port, 0 to 65535');
  if (!(Number(speed) > 0)) throw new TypeError('--speed must be a number above 0');
  return given;
});

if (values.help) process.stdout.write(USAGE);
else {
  const server = await SandboxCarrierServer.start({
    port: Number(values.port),
    journalPath: values.journal,
    speed: Number(values.speed),
  });
  process.stdout.write(`${JSON.stringify({ url: server.url })}\n`);
  await Promise.race([once(process, 'SIGTERM'), once(process, 'SIGINT')]);
  await server.stop();
}
