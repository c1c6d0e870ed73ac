import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { createServer } from 'node:net';

/** Null when the port is free; otherwise the code of the system, such as EADDRINUSE. */
export async function refusalOfTcp(host: string, port: number): Promise<string | null> {
  const server = createServer();
  try {
    server.listen({ host, port, exclusive: true });
    await once(server, 'listening');
    return null;
  } catch (error) {
    return codeOf(error);
  } finally {
    server.close();
  }
}

/** The same for UDP. */
export async function refusalOfUdp(host: string, port: number): Promise<string | null> {
  const socket = createSocket(host.includes(':') ? 'udp6' : 'udp4');
  try {
    socket.bind({ address: host, port, exclusive: true });
    await once(socket, 'listening');
    return null;
  } catch (error) {
    return codeOf(error);
  } finally {
    socket.close();
  }
}

function codeOf(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? 'unknown';
}
