import { execFileSync } from 'node:child_process';
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { ESPEAK_LIMITS, EspeakProcess } from './espeak-process.js';

const processes: EspeakProcess[] = [];

function start(limits = ESPEAK_LIMITS): EspeakProcess {
  const espeak = new EspeakProcess(limits);
  processes.push(espeak);
  return espeak;
}

function children(): number[] {
  const list = execFileSync('ps', ['-o', 'pid=,args=', '--ppid', String(process.pid)], { encoding: 'utf8' });
  return list
    .split('\n')
    .filter((line) => line.includes('espeak-child'))
    .map((line) => Number.parseInt(line, 10));
}

function seconds({ samples, sampleRateHz }: { samples: Int16Array; sampleRateHz: number }): number {
  return samples.length / sampleRateHz;
}

// Its process takes seconds to start where the machine is busy.
jest.setTimeout(120_000);

describe('EspeakProcess', () => {
  afterEach(() => processes.splice(0).forEach((espeak) => espeak.close()));

  it('speaks a line, and faster at a higher speed', async () => {
    const espeak = start();
    const line = { text: 'Olá, boa tarde. Em que posso ajudar?', voice: 'pt-br' };
    const plain = await espeak.speak({ ...line, speed: 1 });
    const fast = await espeak.speak({ ...line, speed: 1.2 });
    expect(seconds(plain)).toBeGreaterThan(1.5);
    expect(seconds(fast)).toBeLessThan(seconds(plain) * 0.95);
    expect(Math.max(...plain.samples)).toBeGreaterThan(3_000);
  });

  it('speaks another language where it has no voice for the one asked for', async () => {
    const line = await start().speak({ text: 'Hello there.', voice: 'xx-unknown', speed: 1 });
    expect(seconds(line)).toBeGreaterThan(0.3);
  });

  it('does not speak a kept line again', async () => {
    const espeak = start();
    const line = { text: 'Uma frase que se repete.', voice: 'pt-br', speed: 1 };
    const first = await espeak.speak(line);
    for (const pid of children()) process.kill(pid, 'SIGKILL');
    expect(await espeak.speak(line)).toBe(first);
  });

  it('speaks a line once for all who ask for it at the same time', async () => {
    const espeak = start();
    const line = { text: 'Duas pessoas, uma frase.', voice: 'pt-br', speed: 1 };
    const [first, second] = await Promise.all([espeak.speak(line), espeak.speak(line)]);
    expect(second).toBe(first);
  });

  it('keeps the event loop free while it speaks', async () => {
    const espeak = start();
    await espeak.speak({ text: 'Um.', voice: 'pt-br', speed: 1 });
    let longestMs = 0;
    let last = performance.now();
    const timer = setInterval(() => {
      const now = performance.now();
      longestMs = Math.max(longestMs, now - last);
      last = now;
    }, 5);
    await espeak.speak({
      text: 'Esta é uma frase longa que leva tempo. '.repeat(10),
      voice: 'pt-br',
      speed: 1,
    });
    clearInterval(timer);
    expect(longestMs).toBeLessThan(150);
  });

  it('speaks on after its process was killed in the middle of a line', async () => {
    const espeak = start();
    await espeak.speak({ text: 'Um.', voice: 'pt-br', speed: 1 });
    const before = children();
    const speaking = espeak.speak({ text: 'Dois e três e quatro. '.repeat(20), voice: 'pt-br', speed: 1 });
    for (const pid of before) process.kill(pid, 'SIGKILL');
    expect(seconds(await speaking)).toBeGreaterThan(5);
    expect(children()).not.toEqual(before);
  });

  it('refuses lines beyond its queue, at once, and says the others', async () => {
    const espeak = start({ ...ESPEAK_LIMITS, queue: 2 });
    const lines = Array.from({ length: 6 }, (_, index) =>
      espeak.speak({ text: `Linha ${index}.`, voice: 'pt-br', speed: 1 }),
    );
    const results = await Promise.allSettled(lines);
    expect(results.map(({ status }) => status)).toEqual([
      'fulfilled',
      'fulfilled',
      'fulfilled',
      'rejected',
      'rejected',
      'rejected',
    ]);
  });

  it('gives up a line that takes too long', async () => {
    const espeak = start({ ...ESPEAK_LIMITS, timeoutMs: 1 });
    await expect(espeak.speak({ text: 'Nunca.', voice: 'pt-br', speed: 1 })).rejects.toThrow(/ended before/);
  });

  it('ends its process when it is closed, and says so to who waits', async () => {
    const espeak = start();
    await espeak.speak({ text: 'Um.', voice: 'pt-br', speed: 1 });
    const waiting = espeak.speak({ text: 'Dois. '.repeat(100), voice: 'pt-br', speed: 1 });
    const pids = children();
    espeak.close();
    await expect(waiting).rejects.toThrow('ending');
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(children().filter((pid) => pids.includes(pid))).toEqual([]);
  });
});
