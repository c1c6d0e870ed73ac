// A far end over TLS in a process of its own, which can be stopped (SIGSTOP) like one that hangs: it accepts
// connections and reads nothing. It answers INVITE with 486 and other requests with 200, except ACK and the methods
// it is given to ignore.
import { createServer } from 'node:tls';

process.once('message', ({ key, cert, ignores }) => {
  let connections = 0;
  const server = createServer({ key, cert }, (socket) => {
    process.send({ connections: ++connections });
    let pending = '';
    socket.on('error', () => {});
    socket.setEncoding('latin1');
    socket.on('data', (chunk) => {
      pending += chunk;
      for (let at = pending.indexOf('\r\n\r\n'); at >= 0; at = pending.indexOf('\r\n\r\n')) {
        const length = at + 4 + Number(/^content-length: *(\d+)/im.exec(pending.slice(0, at))?.[1] ?? 0);
        if (pending.length < length) return;
        answer(socket, pending.slice(0, at), ignores);
        pending = pending.slice(length);
      }
    });
  });
  server.listen(0, '127.0.0.1', () => process.send({ port: server.address().port }));
});

function answer(socket, head, ignores) {
  const lines = head.trimStart().split('\r\n');
  const [method] = lines[0].split(' ');
  if (method === 'ACK' || method === ignores) return;
  const same = lines.filter((line) => /^(via|from|call-id|cseq):/i.test(line));
  const to = lines.find((line) => /^to:/i.test(line)) ?? '';
  const status = method === 'INVITE' ? '486 Busy Here' : '200 OK';
  socket.write([`SIP/2.0 ${status}`, ...same, `${to};tag=peer`, 'Content-Length: 0', '', ''].join('\r\n'));
}
