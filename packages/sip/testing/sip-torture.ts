/** A message of RFC 4475, and what we make of it: `repaired` is invalid, and read as the RFC says that it may be. */
export interface TortureMessage {
  readonly name: string;
  readonly text: string;
  readonly verdict: 'valid' | 'repaired' | 'invalid';
}

function message(lines: readonly string[], body = ''): string {
  return [...lines, '', body].join('\r\n');
}

/** What most of the messages share. */
const COMMON = [
  'Max-Forwards: 70',
  'To: <sip:j.user@example.com>',
  'From: sip:caller@example.net;tag=134161461246',
  'Call-ID: torture.0ha0isndaksdjasdf3234nas',
  'CSeq: 8 INVITE',
  'Via: SIP/2.0/UDP 192.0.2.15;branch=z9hG4bKkdjuw',
  'Contact: <sip:caller@host5.example.net>',
];

const SDP =
  'v=0\r\no=mhandley 29739 7272939 IN IP4 192.0.2.3\r\ns=-\r\nc=IN IP4 192.0.2.4\r\nt=0 0\r\nm=audio 49217 RTP/AVP 0 12\r\n';

function invite(changes: (lines: string[]) => string[] = (lines) => lines, body = ''): string {
  const lines = ['INVITE sip:user@example.com SIP/2.0', ...COMMON, `Content-Length: ${body.length}`];
  return message(changes(lines), body);
}

function replaced(from: string | RegExp, to: string): (lines: string[]) => string[] {
  return (lines) => lines.map((line) => line.replace(from, to));
}

/** The messages of RFC 4475 §3.1 that concern a parser, by their names there; folded and escaped as there. */
export const TORTURE: readonly TortureMessage[] = [
  {
    name: 'wsinv',
    verdict: 'valid',
    text: message(
      [
        'INVITE sip:vivekg@chair-dnrc.example.com;unknownparam SIP/2.0',
        'TO :',
        ' sip:vivekg@chair-dnrc.example.com ;   tag    = 1918181833n',
        'from   : "J Rosenberg \\\\\\""       <sip:jdrosen@example.com>',
        '  ;',
        '  tag = 98asjd8',
        'MaX-fOrWaRdS: 0068',
        'Call-ID: wsinv.ndaksdj@192.0.2.1',
        'Content-Length   : 150',
        'cseq: 0009',
        '  INVITE',
        'Via  : SIP  /   2.0',
        ' /UDP',
        '    192.0.2.2;branch=390skdjuw',
        's :',
        'NewFangledHeader:   newfangled value',
        ' continued newfangled value',
        'UnknownHeaderWithUnusualValue: ;;,,;;,;',
        'Content-Type: application/sdp',
        'Route:',
        ' <sip:services.example.com;lr;unknownwith=value;unknown-no-value>',
        'v:  SIP  / 2.0  / TCP     spindle.example.com   ;',
        '  branch  =   z9hG4bK9ikj8  ,',
        ' SIP  /    2.0   / UDP  192.168.255.111   ; branch=',
        ' z9hG4bK30239',
        'm:"Quoted string \\"\\"" <sip:jdrosen@example.com> ; newparam =',
        '      newvalue ;',
        '  secondparam ; q = 0.33',
      ],
      SDP.padEnd(150, '\n'),
    ),
  },
  {
    name: 'intmeth',
    verdict: 'valid',
    text: message([
      "!interesting-Method0123456789_*+`.%indeed'~ sip:1_unusual.URI~(to-be!sure)&isn't+it$/crazy?,/;;*:&it+has=1,weird!*pas$wo~d_too.(doesn't-it)@example.com SIP/2.0",
      "Via: SIP/2.0/TCP host1.example.com;branch=z9hG4bK-.!%66*_+`'~",
      'To: "BEL:\\\u0007 NUL:\\\u0001 DEL:\\\u007f" <sip:1_unusual.URI~(to-be!sure)&isn\'t+it$/crazy?,/;;*@example.com>',
      "From: token1~` token2'+_ token3*%!.- <sip:mundane@example.com>;fromParam''~+*_!.-%=\"\u00d1\u0080\";tag=_token~1'+`*%!-.",
      'Call-ID: intmeth.word%ZK-!.*_+\'@word`~)(><:\\/"][?}{',
      "CSeq: 139122385 !interesting-Method0123456789_*+`.%indeed'~",
      'Max-Forwards: 255',
      "extensionHeader-!.%*+_`'~: \u00ef\u00bb\u00bf\u00e5\u00a4\u00a7",
      'Content-Length: 0',
    ]),
  },
  {
    name: 'esc01',
    verdict: 'valid',
    text: invite(replaced('sip:user@example.com SIP', 'sip:sips%3Auser%40example.com@example.net SIP')),
  },
  {
    name: 'escnull',
    verdict: 'valid',
    text: invite(replaced('sip:user@example.com SIP', 'sip:null-%00-null@example.com SIP')),
  },
  {
    name: 'esc02',
    verdict: 'valid',
    text: message([
      'RE%47IST%45R sip:registrar.example.com SIP/2.0',
      'To: "%Z%45" <sip:resource@example.com>',
      'From: "%Z%45" <sip:resource@example.com>;tag=f232jadfj23',
      'Call-ID: esc02.asdfnqwo34rq23i34jrjasdcnl23nrlknsdf',
      'Via: SIP/2.0/TCP host.example.com;branch=z9hG4bK209%fzsnel234',
      'CSeq: 29344 RE%47IST%45R',
      'Max-Forwards: 70',
      'Contact: <sip:alias1@host1.example.com>',
      'C%6Fntact: <sip:alias2@host2.example.com>',
      'l: 0',
    ]),
  },
  {
    name: 'lwsdisp',
    verdict: 'valid',
    text: invite(replaced('From: sip:caller@example.net', 'From: caller<sip:caller@example.com>')),
  },
  {
    name: 'longreq',
    verdict: 'valid',
    text: invite((lines) => [
      ...lines.map((line) =>
        line
          .replace('To: <sip:j', `To: "I have a user name of ${'extreme '.repeat(20)}proportion" <sip:j`)
          .replace('SIP/2.0/UDP 192.0.2.15', `SIP/2.0/UDP ${'v'.repeat(200)}.example.com`),
      ),
      `Unknown-${'Long'.repeat(20)}-Name: unknown-${'long'.repeat(20)}-value`,
      ...Array.from(
        { length: 30 },
        (_, hop) => `Via: SIP/2.0/TCP sip${hop}.example.com;branch=z9hG4bK${hop}`,
      ),
    ]),
  },
  {
    name: 'dblreq',
    verdict: 'valid',
    text: invite() + invite(),
  },
  {
    name: 'semiuri',
    verdict: 'valid',
    text: invite(replaced('sip:user@example.com SIP', 'sip:user;par=u%40example.net@example.com SIP')),
  },
  {
    name: 'transports',
    verdict: 'valid',
    text: invite((lines) => [
      ...lines,
      'Via: SIP/2.0/SCTP t2.example.com;branch=z9hG4bK1',
      'Via: SIP/2.0/UNKNOWN t5.example.com;branch=z9hG4bK2',
    ]),
  },
  {
    name: 'unreason',
    verdict: 'valid',
    text: message(['SIP/2.0 200 = 2**3 * 5**2 \u00d0\u00bd\u00d0\u00be', ...COMMON, 'Content-Length: 0']),
  },
  { name: 'noreason', verdict: 'valid', text: message(['SIP/2.0 100 ', ...COMMON, 'Content-Length: 0']) },
  {
    name: 'badinv01',
    verdict: 'invalid',
    text: invite(
      replaced('SIP/2.0/UDP 192.0.2.15;branch=z9hG4bKkdjuw', 'SIP/2.0/UDP 192.0.2.15;;,;branch=z9hG4bKkdjuw'),
    ),
  },
  {
    name: 'quotbal',
    verdict: 'repaired',
    text: invite(replaced('<sip:j.user@example.com>', '"Mr. J. User <sip:j.user@example.com>')),
  },
  {
    name: 'quotbal with two addresses',
    verdict: 'invalid',
    text: invite(
      replaced('<sip:j.user@example.com>', '"Mr. J. User <sip:j.user@example.com> <sip:realj@example.net>'),
    ),
  },
  {
    name: 'badaspec',
    verdict: 'repaired',
    text: invite(replaced('<sip:j.user@example.com>', '"Watson, Thomas" < sip:t.watson@example.org >')),
  },
  {
    name: 'baddn',
    verdict: 'repaired',
    text: invite((lines) =>
      lines.map((line) =>
        line
          .replace('<sip:j.user@example.com>', 'Watson, Thomas <sip:t.watson@example.org>')
          .replace('sip:caller@example.net;', 'Bell, Alexander <sip:a.g.bell@example.com>;'),
      ),
    ),
  },
  { name: 'clerr', verdict: 'invalid', text: invite(replaced('Content-Length: 0', 'Content-Length: 9999')) },
  { name: 'ncl', verdict: 'invalid', text: invite(replaced('Content-Length: 0', 'Content-Length: -999')) },
  { name: 'scalar02', verdict: 'invalid', text: invite(replaced('CSeq: 8', 'CSeq: 36893488147419103232')) },
  {
    name: 'scalarlg',
    verdict: 'invalid',
    text: message([
      'SIP/2.0 503 Service Unavailable',
      ...COMMON.map((line) => line.replace('CSeq: 8', 'CSeq: 9292394834772304023312')),
    ]),
  },
  {
    name: 'ltgtruri',
    verdict: 'invalid',
    text: invite(replaced('sip:user@example.com SIP', '<sip:user@example.com> SIP')),
  },
  {
    name: 'lwsruri',
    verdict: 'invalid',
    text: invite(replaced('sip:user@example.com SIP', 'sip:user@example.com; lr SIP')),
  },
  {
    name: 'lwsstart',
    verdict: 'repaired',
    text: invite(replaced('INVITE sip:user@example.com SIP', 'INVITE  sip:user@example.com  SIP')),
  },
  {
    name: 'trws',
    verdict: 'repaired',
    text: invite(replaced('example.com SIP/2.0', 'example.com SIP/2.0  ')),
  },
  {
    name: 'badvers',
    verdict: 'invalid',
    text: invite(replaced('example.com SIP/2.0', 'example.com SIP/7.0')),
  },
  { name: 'mismatch01', verdict: 'invalid', text: invite(replaced('CSeq: 8 INVITE', 'CSeq: 8 INFO')) },
  { name: 'mismatch02', verdict: 'invalid', text: invite(replaced('INVITE sip', 'NEWMETHOD sip')) },
  {
    name: 'bigcode',
    verdict: 'invalid',
    text: message(['SIP/2.0 4294967301 better not break the receiver', ...COMMON]),
  },
  { name: 'badbranch', verdict: 'valid', text: invite(replaced('branch=z9hG4bKkdjuw', 'branch=z9hG4bK')) },
  {
    name: 'insuf',
    verdict: 'invalid',
    text: message([
      'INVITE sip:user@example.com SIP/2.0',
      'CSeq: 193942 INVITE',
      'Via: SIP/2.0/UDP 192.0.2.95;branch=z9hG4bKkdj.insuf',
      'l: 0',
    ]),
  },
  {
    name: 'unkscm',
    verdict: 'valid',
    text: invite(replaced('sip:user@example.com SIP', 'nobodyKnowsThisScheme:totallyopaquecontent SIP')),
  },
  {
    name: 'multi01',
    verdict: 'invalid',
    text: invite((lines) => [
      ...lines,
      'CSeq: 59 INVITE',
      'Call-ID: another',
      'To: sip:other@example.net',
      'From: sip:mun@example.com;tag=3413415',
    ]),
  },
  { name: 'mcl01', verdict: 'invalid', text: invite((lines) => [...lines, 'Content-Length: 5']) },
  {
    name: 'bcast',
    verdict: 'valid',
    text: message([
      'SIP/2.0 200 OK',
      ...COMMON.map((line) => line.replace('192.0.2.15', '255.255.255.255')),
      'l: 0',
    ]),
  },
  { name: 'zeromf', verdict: 'valid', text: invite(replaced('Max-Forwards: 70', 'Max-Forwards: 0')) },
  {
    name: 'cparam01',
    verdict: 'valid',
    text: invite(
      replaced(
        'Contact: <sip:caller@host5.example.net>',
        'Contact: sip:+19725552222@gw1.example.net;unknownparam',
      ),
    ),
  },
  {
    name: 'regescrt',
    verdict: 'valid',
    text: invite(
      replaced(
        'Contact: <sip:caller@host5.example.net>',
        'Contact: <sip:user@example.com?Route=%3Csip:sip.example.com%3E>',
      ),
    ),
  },
];
