import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ReadDocument } from '../block.js';
import { readHtml } from './html-reader.js';

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'prosa-html-'));
});

afterAll(() => rm(folder, { recursive: true, force: true }));

async function read(page: string | Buffer, charset?: string): Promise<ReadDocument> {
  const path = join(folder, 'page.html');
  await writeFile(path, page);
  return readHtml(path, 'https://loja.example/duvidas', charset);
}

/** Lines of a page with this body. */
async function lines(body: string, head = ''): Promise<string[]> {
  const { blocks } = await read(
    `<!doctype html><html lang="pt-BR"><head><title>Loja</title>${head}</head><body>${body}</body></html>`,
  );
  return blocks.map(({ text }) => text);
}

describe('words that a page marks', () => {
  it('has cents of prices behind a mark, however the page raises them', async () => {
    expect(
      await lines(
        `<p>Mesa <span>R$</span><span>349</span><sup>50</sup></p><p>Vaso R$ 19<small>90</small> cada</p>
         <p>Sofá <span>R$ 1.599</span><span class="money__cents">99</span></p><p>Piso: 12 m<sup>2</sup></p>`,
      ),
    ).toEqual(['Mesa R$349,50', 'Vaso R$ 19,90 cada', 'Sofá R$ 1.599,99', 'Piso: 12 m²']);
  });

  it.each([
    ['s', '<s>R$ 80</s>'],
    ['strike with an element in it', '<strike><b>R$ 80</b></strike>'],
    ['a style', '<span style="color:red; TEXT-DECORATION : line-through">R$ 80</span>'],
    ['a class of the page', '<i class="antes">R$ 80</i>'],
    ['a class below another', '<div class="promo"><b id="de">R$ 80</b></div>'],
    ['a class of a framework', '<span class="text-sm line-through">R$ 80</span>'],
  ])('leaves out what is struck out by %s', async (_, struck) => {
    const css =
      '<style>/* preços */ .antes, .outro { text-decoration: line-through } @media screen { .promo > #de {text-decoration-line:line-through} } a:hover .agora{text-decoration:line-through}</style>';

    expect((await lines(`<p>Vaso ${struck} <b class="agora">R$ 60</b></p>`, css)).join(' ')).toMatch(
      /^Vaso ?R\$ 60$/,
    );
  });

  it('keeps a price that has the class of an old one in another place', async () => {
    const css = '<style>.velho .preco{text-decoration:line-through}</style>';

    expect(await lines('<div class="novo"><p class="preco">R$ 60</p></div>', css)).toEqual(['R$ 60']);
  });

  it('parts words of two boxes in one line, and keeps one word in several elements', async () => {
    expect(
      await lines('<p><span>Vaso</span><span>R$ 60</span></p><p><b>V</b>aso de <i>barro</i>.</p>'),
    ).toEqual(['Vaso R$ 60', 'Vaso de barro.']);
  });
});

describe('addresses that stand in a link alone', () => {
  it.each([
    ['<a href="tel:0800-123-4567">central</a>', 'Fale: central (0800-123-4567)'],
    ['<a href="MAILTO:sac@loja.example?subject=Oi">SAC</a>', 'Fale: SAC (sac@loja.example)'],
    [
      '<a href="https://api.whatsapp.com/send?phone=5511999990000">zap</a>',
      'zap (https://api.whatsapp.com/send?phone=5511999990000)',
    ],
    ['<a href="whatsapp://send?phone=5511999990000">zap</a>', 'zap (5511999990000)'],
    ['<a href="/segunda-via">segunda via</a>', 'segunda via (https://loja.example/segunda-via)'],
    ['<a href="tel:+551140028922">(11) 4002-8922</a>', 'Fale: (11) 4002-8922'],
    ['<a href="mailto:sac@loja.example">sac@loja.example</a>', 'Fale: sac@loja.example'],
    ['<a href="https://www.loja.example/">loja.example</a>', 'Fale: loja.example'],
    ['<a href="#topo">topo</a>', 'Fale: topo'],
    ['<a href="javascript:abrir()">abrir</a>', 'Fale: abrir'],
  ])('are given: %s', async (link, expected) => {
    const [line] = await lines(`<p>Fale: ${link}</p>`);

    expect(line?.endsWith(expected)).toBe(true);
  });

  it('are given for a link of a picture, and for one that hides its mailbox from robots', async () => {
    const key = 0x2a;
    const hidden = Buffer.from([key, ...Buffer.from('oi@loja.example').map((byte) => byte ^ key)]).toString(
      'hex',
    );

    expect(
      await lines(
        `<p><a href="https://wa.me/5511999990000" aria-label="WhatsApp"><svg></svg></a></p>
         <p><a href="/cdn-cgi/l/email-protection#${hidden}">[email protegido]</a></p>`,
      ),
    ).toEqual(['WhatsApp (https://wa.me/5511999990000)', '[email protegido] (oi@loja.example)']);
  });

  it('are left out of lists of links, and given once a page', async () => {
    const links = [1, 2, 3, 4].map((n) => `<li><a href="/p/${n}">Produto ${n}</a></li>`).join('');

    expect(
      await lines(`<ul>${links}</ul><p>Veja <a href="/x">aqui</a> ou <a href="/x">ali</a>.</p>`),
    ).toEqual([...[1, 2, 3, 4].map((n) => `- Produto ${n}`), 'Veja aqui (https://loja.example/x) ou ali.']);
  });
});

describe('questions and answers', () => {
  it('keeps questions in buttons, labels and summaries, and closed answers', async () => {
    expect(
      await lines(
        `<h3><button type="button">Aceitam Pix?</button></h3><div class="panel" hidden>Sim.</div>
         <button aria-expanded="false" aria-controls="b">Montagem</button><div id="b" style="display: none">R$ 90.</div>
         <input type="checkbox" id="c"><label for="c">Troca</label><div aria-hidden="true">Em sete dias.</div>
         <details><summary>Frete</summary>Grátis.</details><button>Comprar</button>`,
      ),
    ).toEqual(['Aceitam Pix?', 'Sim.', 'Montagem', 'R$ 90.', 'Troca', 'Em sete dias.', 'Frete', 'Grátis.']);
  });

  it('puts terms before their definitions', async () => {
    expect(
      await lines(
        '<dl><div><dt>Prazo:</dt><dd>dez dias</dd></div><dt>Frete</dt><dd><p>R$ 9</p><p>por peça</p></dd><dt>Só</dt></dl>',
      ),
    ).toEqual(['Prazo: dez dias', 'Frete: R$ 9', 'por peça', 'Só']);
  });

  it('counts the items of ordered lists', async () => {
    expect(
      await lines(
        '<ol start="4"><li>a</li><li><p>b</p><ol type="i"><li>c</li></ol></li><li value="9">d</li></ol><ul><li></li></ul><p>e</p>',
      ),
    ).toEqual(['4. a', '5. b', 'i. c', '9. d', 'e']);
  });

  it('reads declarative shadow trees with what their slots show', async () => {
    expect(
      await lines(
        `<faq-item><template shadowrootmode="closed"><h2><slot name="q">?</slot></h2><slot></slot><p>Fim</p></template>
         <span slot="q">Entregam?</span><p>Sim.</p></faq-item><template><p>nunca</p></template>`,
      ),
    ).toEqual(['Entregam?', 'Sim.', 'Fim']);
  });
});

describe('tables', () => {
  it('have each cell in all rows and columns that it covers', async () => {
    expect(
      await lines(
        `<table><tr><th></th><th colspan="2">Preço</th></tr><tr><td rowspan="2">Corte</td><td>Curto</td><td>R$ 40</td></tr>
         <tr><td>Longo</td><td>R$ 60</td></tr><tr><td>Barba</td><td></td><td>R$ 20</td></tr></table>`,
      ),
    ).toEqual(['| Preço | Preço', 'Corte | Curto | R$ 40', 'Corte | Longo | R$ 60', 'Barba | | R$ 20']);
  });

  it('do not grow without bounds', async () => {
    const row = '<tr><td colspan="65000" rowspan="65000">x</td></tr>'.repeat(300);

    const text = (await lines(`<table>${row}</table>`)).join('');

    expect(text.length).toBeLessThan(200_000);
  });

  it('that only arrange a page are not rows', async () => {
    expect(
      await lines(
        '<table><tr><td><h2>Horários</h2><p>Das 9h às 18h</p></td><td><table><tr><td>Sáb</td><td>9h</td></tr></table></td></tr></table>',
      ),
    ).toEqual(['Horários', 'Das 9h às 18h', 'Sáb | 9h']);
  });
});

describe('boxes of a page', () => {
  it.each([
    ['a sidebar', '<div class="sidebar"><p>Aberto das 8h às 12h</p></div>'],
    ['an aside', '<aside><p>Aberto das 8h às 12h</p></aside>'],
    ['a box called navigation', '<div id="navigation-hours"><p>Aberto das 8h às 12h</p></div>'],
    ['an extra box', '<section class="extra related"><p>Aberto das 8h às 12h</p></section>'],
    ['a form of the whole page', '<form id="aspnetForm"><p>Aberto das 8h às 12h</p></form>'],
    ['a dialog', '<dialog><p>Aberto das 8h às 12h</p></dialog>'],
    ['a menu of dishes', '<nav class="menu"><p>Aberto das 8h às 12h</p></nav>'],
  ])('are read when they say something: %s', async (_, box) => {
    const article = `<article><h1>Sobre</h1>${'<p>Uma frase comprida sobre a história da loja e de seus donos.</p>'.repeat(9)}</article>`;

    expect(await lines(article + box)).toContain('Aberto das 8h às 12h');
  });

  it.each([
    ['a menu', '<div class="menu"><a href="/a">Sofás</a> <a href="/b">Mesas</a></div>'],
    ['a list of pages in an aside', '<aside><ul><li><a href="/a">Sofás</a></li></ul></aside>'],
    ['a notice on cookies', '<div id="cookie-banner"><p>Usamos cookies.</p></div>'],
    ['a search', '<form role="search"><label>Buscar</label></form>'],
    ['names of pictures', '<i class="material-icons">expand_more</i>'],
    ['years to choose from', '<select><option>2025</option><option>2026</option></select>'],
  ])('are left out when they lead elsewhere: %s', async (_, box) => {
    expect(await lines(`<main><p>Texto</p></main>${box}`)).toEqual(['Texto']);
  });

  it('keeps what a footer and a menu say of the company apart', async () => {
    const { blocks, siteBlocks } = await read(
      `<body><nav><a href="/">Início</a> <a href="tel:08001234567">Ligue</a></nav><p>Texto</p>
       <article><p>Notícia</p><footer>Por Ana</footer></article>
       <footer><h4>Links</h4><ul><li><a href="/p">Privacidade</a></li></ul><h4>Horários</h4><p>Seg. a sex., das 9h às 18h</p>
       <a href="https://maps.example/x">Rua das Flores, 120</a><p>© 2026 Loja. Todos os direitos reservados.</p></footer></body>`,
    );

    expect(blocks.map(({ text }) => text)).toEqual(['Texto', 'Notícia', 'Por Ana']);
    expect(siteBlocks?.map(({ text }) => text)).toEqual([
      'Ligue (08001234567)',
      'Horários',
      'Seg. a sex., das 9h às 18h',
      'Rua das Flores, 120',
    ]);
  });
});

describe('pages that are no whole documents', () => {
  it.each([
    ['without html and body', '<title>Loja</title><h2>Frete</h2><p>Grátis<p>no bairro'],
    [
      'with comments and tags before html',
      '<!-- x --><meta charset=utf-8><base href="/"><html><head><title>Loja</title></head><body><h2>Frete</h2><p>Grátis</p><p>no bairro</p>',
    ],
    [
      'with text behind its end',
      '<html><head><title>Loja</title></head><body><h2>Frete</h2></body></html><p>Grátis</p><p>no bairro</p>',
    ],
  ])('are read: %s', async (_, page) => {
    const { title, blocks } = await read(page);

    expect(title).toBe('Loja');
    expect(blocks.map(({ text }) => text)).toEqual(['Frete', 'Grátis', 'no bairro']);
  });
});

describe('charsets', () => {
  it.each([
    [
      'UTF-8',
      'utf-8',
      Buffer.concat([Buffer.from('São João '), Buffer.from([0xc3]), Buffer.from(' é já')]),
      'São João � é já',
    ],
    ['GBK', 'gbk', Buffer.from('d3aad2b5cab1bce4812061', 'hex'), '营业时间� a'],
    ['EUC-KR', 'euc-kr', Buffer.from('bfb5bef7bdc3b0a3ff2061', 'hex'), '영업시간� a'],
    ['windows-1252', 'windows-1252', Buffer.from('9376e1bdea9480', 'hex'), '“vá½ê”€'],
  ])('lose one character for a wrong byte: %s', async (_, charset, bytes, expected) => {
    const { blocks, unread } = await read(
      Buffer.concat([Buffer.from('<p>'), bytes, Buffer.from('</p>')]),
      charset,
    );

    expect(blocks[0]?.text).toBe(expected);
    expect(unread).toHaveLength(expected.includes('\ufffd') ? 1 : 0);
  });
});

describe('pages that lead on or are drawn by scripts', () => {
  const refresh = (content: string, body = '<p>Você será levado.</p>') =>
    read(`<head><meta http-equiv="Refresh" content="${content}"></head><body>${body}</body>`);

  it.each([
    ['0;url=/nova', 'https://loja.example/nova'],
    ["1; URL='https://outra.example/a b'", 'https://outra.example/a%20b'],
    ['10; /nova', 'https://loja.example/nova'],
    ['300', null],
    ['5; url=/duvidas', null],
    ['0; url=javascript:alert(1)', 'javascript:alert(1)'],
  ])('names the page that %s leads to', async (content, expected) => {
    expect((await refresh(content)).refreshUrl).toBe(expected);
  });

  it('stays on a page that is meant to be read before it leads on', async () => {
    expect((await refresh('30; url=/nova', `<p>${'Leia isto. '.repeat(60)}</p>`)).refreshUrl).toBeNull();
  });

  it.each([
    ['a spinner', '<div id="app"><p>Loading…</p></div><script src="/a.js"></script>'],
    [
      'a frame around nothing',
      '<header>Loja do Zé</header><div id="root"></div><script src="/a.js"></script>',
    ],
    ['a word to wait', '<p>Aguarde, por favor.</p><script>go()</script>'],
  ])('says that there is no text: %s', async (_, body) => {
    const { blocks, unread } = await read(`<body>${body}</body>`);

    expect(blocks).toEqual([]);
    expect(unread).toMatchObject([{ reason: { key: 'ingestion.scripted' } }]);
  });

  it('says that a part is missing when there is much around it, and nothing of a page that is whole', async () => {
    const text = `<p>${'A loja fica no centro. '.repeat(12)}</p>`;
    const script = '<script src="/a.js"></script>';

    expect((await read(`${text}<div id="app"></div>${script}`)).unread).toHaveLength(1);
    expect((await read(`<div id="app">${text}</div>${script}`)).unread).toEqual([]);
  });
});
