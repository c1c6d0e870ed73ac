import { request } from 'undici';
import { timeoutSignal } from '../../common/time/timeout-signal.js';
import type { ServerConfig, SipConfig } from '../../config/config.js';
import { type Check, failure, type Finding, ok, warning } from '../check.js';
import { refusalOfTcp, refusalOfUdp } from './free-ports.js';

const ANSWER_MS = 3_000;
/** Each call with sound needs a port for RTP and one for RTCP. */
const PORTS_A_CALL = 2;
/** A larger range is looked at in part. */
const MAX_RTP_PORTS = 2_000;

interface Port {
  readonly variable: string;
  readonly host: string;
  readonly port: number;
  readonly refusal: (host: string, port: number) => Promise<string | null>;
}

/** Whether the ports of this process are free, or held by Prosa itself. */
export class PortsCheck implements Check {
  readonly name = 'ports';

  /** @param sip undefined where no SIP trunk is served */
  constructor(
    private readonly server: ServerConfig,
    private readonly sip: SipConfig | undefined,
  ) {}

  async run(): Promise<readonly Finding[]> {
    const isRunning = (await Promise.all(this.healthAddresses().map(answersAsProsa))).some(Boolean);
    const findings: Finding[] = [];
    for (const port of this.ports()) findings.push(await findingOf(port, isRunning));
    if (this.sip) findings.push(await rtpFinding(this.sip));
    return findings.length > 0 ? findings : [ok('The system chooses all ports.')];
  }

  private ports(): Port[] {
    const { server, sip } = this;
    const ports: Port[] = [];
    const add = (variable: string, host: string, port: number, refusal: Port['refusal'] = refusalOfTcp) => {
      if (port > 0) ports.push({ variable, host, port, refusal });
    };
    if (server.roles.has('api')) add('PORT', server.host, server.port);
    add('OPERATIONS_PORT', server.host, server.operationsPort ?? 0);
    if (!sip) return ports;
    add('SIP_LISTEN', sip.listen.host, sip.listen.port, refusalOfUdp);
    add('SIP_LISTEN', sip.listen.host, sip.listen.port);
    if (sip.tls) add('SIP_TLS_PORT', sip.listen.host, sip.tls.port);
    return ports;
  }

  private healthAddresses(): string[] {
    const { host, port, operationsPort } = this.server;
    const name = host === '0.0.0.0' || host === '::' ? 'localhost' : host;
    return [port, operationsPort ?? port + 1].map((one) => `http://${name}:${one}/health/live`);
  }
}

async function answersAsProsa(address: string): Promise<boolean> {
  try {
    const { statusCode, body } = await request(address, { signal: timeoutSignal(ANSWER_MS) });
    const text = await body.text();
    return statusCode === 200 && text === '{"status":"ok"}';
  } catch {
    return false;
  }
}

async function findingOf({ variable, host, port, refusal }: Port, isRunning: boolean): Promise<Finding> {
  const protocol = refusal === refusalOfUdp ? 'UDP' : 'TCP';
  const name = `${variable} (${host}:${port}, ${protocol})`;
  const code = await refusal(host, port);
  if (code === null) return ok(`${name} is free.`);
  if (code === 'EADDRINUSE' && isRunning) return ok(`${name} is in use while Prosa runs on this machine.`);
  if (code === 'EADDRINUSE')
    return failure(`${name} is in use: stop what listens there, or choose another port.`);
  return failure(
    `${name} cannot be opened (${code}): choose an address of this machine and a port that its user may open.`,
  );
}

/** Calls hold some of them while Prosa runs. */
async function rtpFinding({ listen: { host }, rtpPorts: { from, to } }: SipConfig): Promise<Finding> {
  const last = Math.min(to, from + MAX_RTP_PORTS - 1);
  let taken = 0;
  for (let port = from; port <= last; port++) if ((await refusalOfUdp(host, port)) !== null) taken++;
  const looked = last - from + 1;
  const room = Math.floor((looked - taken) / PORTS_A_CALL);
  const what = `RTP_PORTS (${from}-${to}): ${looked - taken} of ${looked} ports are free, for ${room} calls`;
  return taken > looked / 2
    ? warning(`${what}: another program uses the range; choose another one.`)
    : ok(`${what}.`);
}
