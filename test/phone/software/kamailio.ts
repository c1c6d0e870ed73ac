import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { once } from 'node:events';
import { join } from 'node:path';
import { makeCertificate } from '@prosa/testing';
import { until } from '../../support/until.js';
import { ForeignProcess } from './process.js';

const PORT = 27_360;

export const KAMAILIO_DOMAIN = 'prosa.test';
export const KAMAILIO_PASSWORD = 'secret';

/** Kamailio as an operator's registrar and proxy: digest for REGISTER and INVITE, Record-Route. */
export class Kamailio {
  readonly sipPort = PORT;
  readonly tlsPort = PORT + 1;

  private constructor(private readonly process: ForeignProcess) {}

  /** @param algorithm of its challenges */
  static async start(algorithm: 'MD5' | 'SHA-256'): Promise<Kamailio> {
    const folder = ForeignProcess.makeFolder('kamailio');
    const { key, cert } = makeCertificate();
    writeFileSync(join(folder, 'key.pem'), key);
    writeFileSync(join(folder, 'cert.pem'), cert);
    writeFileSync(join(folder, 'kamailio.cfg'), configOf(folder, algorithm));
    return new Kamailio(await startKamailio(folder, PORT));
  }

  stop(): Promise<void> {
    return this.process.stop();
  }
}

/** Why its rows cannot run here; null where they can. Debian has its TLS in a package of its own. */
export function missingOfKamailio(): string | null {
  if (spawnSync('which', ['kamailio']).status !== 0) return 'kamailio is not here';
  return modulesFolder() === undefined
    ? 'the TLS module of kamailio (kamailio-tls-modules) is not here'
    : null;
}

/** Where the modules are: Debian has a folder for each kind of processor. */
function modulesFolder(): string | undefined {
  return readdirSync('/usr/lib')
    .map((kind) => join('/usr/lib', kind, 'kamailio/modules'))
    .find((modules) => existsSync(join(modules, 'tls.so')));
}

/** Runs the configuration of the folder until it listens. @throws what Kamailio says where it ends before */
export async function startKamailio(folder: string, port: number): Promise<ForeignProcess> {
  const settings = ['-f', join(folder, 'kamailio.cfg'), '-L', modulesFolder() ?? '', '-Y', folder];
  const process = ForeignProcess.start('kamailio', [...settings, '-m', '64', '-M', '8', '-DD', '-E'], folder);
  let hasEnded = false;
  void process.exited.then(() => (hasEnded = true));
  await until(async () => {
    if (hasEnded) return true;
    const socket = connect(port, '127.0.0.1');
    const ready = await once(socket, 'connect').then(
      () => true,
      () => false,
    );
    socket.destroy();
    return ready;
  }, 15_000);
  if (hasEnded) throw new Error(`kamailio ended at its start: ${process.output.slice(-2_000)}`);
  return process;
}

function configOf(folder: string, algorithm: string): string {
  return `#!KAMAILIO
debug=1
log_stderror=yes
fork=yes
children=1
tcp_children=1
shm_force_alloc=no
enable_tls=yes
listen=udp:127.0.0.1:${PORT}
listen=tcp:127.0.0.1:${PORT}
listen=tls:127.0.0.1:${PORT + 1}
auto_aliases=no
loadmodule "tls.so"
loadmodule "tm.so"
loadmodule "sl.so"
loadmodule "rr.so"
loadmodule "pv.so"
loadmodule "maxfwd.so"
loadmodule "usrloc.so"
loadmodule "registrar.so"
loadmodule "textops.so"
loadmodule "siputils.so"
loadmodule "xlog.so"
loadmodule "auth.so"
modparam("tls","certificate","${folder}/cert.pem")
modparam("tls","private_key","${folder}/key.pem")
modparam("tls","verify_certificate",0)
modparam("tls","tls_method","TLSv1.2+")
modparam("usrloc","db_mode",0)
modparam("rr","enable_full_lr",1)
modparam("auth","nonce_expire",60)
modparam("auth","algorithm","${algorithm === 'MD5' ? '' : algorithm}")
request_route {
  if (!mf_process_maxfwd_header("10")) { sl_send_reply("483","Too Many Hops"); exit; }
  if (is_method("OPTIONS") && !has_totag()) { sl_send_reply("200","OK"); exit; }
  if (is_method("CANCEL")) { if (t_check_trans()) t_relay(); exit; }
  if (has_totag()) {
    if (loose_route()) { t_relay(); exit; }
    if (is_method("ACK")) { if (t_check_trans()) t_relay(); exit; }
    sl_send_reply("404","Not here"); exit;
  }
  if (is_method("REGISTER")) {
    if (!pv_www_authenticate("${KAMAILIO_DOMAIN}","${KAMAILIO_PASSWORD}","0")) { www_challenge("${KAMAILIO_DOMAIN}","1"); exit; }
    consume_credentials(); save("location"); exit;
  }
  if (is_method("INVITE")) {
    if (!pv_proxy_authenticate("${KAMAILIO_DOMAIN}","${KAMAILIO_PASSWORD}","0")) { proxy_challenge("${KAMAILIO_DOMAIN}","1"); exit; }
    consume_credentials(); record_route();
    if (!lookup("location")) { sl_send_reply("404","Not Found"); exit; }
    t_relay(); exit;
  }
  sl_send_reply("405","No");
}
`;
}
