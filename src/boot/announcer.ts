/** What a process says to its operator besides the log: the banner, waits, and its end. */
export type Announce = (line: string) => void;

/** The level of pino for what is no warning. */
const INFO = 30;

/** In production without a terminal a collector reads the output, and each line of it has the form of the log. */
export function announcerTo(
  output: Pick<NodeJS.WriteStream, 'write' | 'isTTY'>,
  environment: NodeJS.ProcessEnv,
): Announce {
  const isForCollector = environment.NODE_ENV === 'production' && !output.isTTY;
  return (line) => {
    const text = isForCollector ? JSON.stringify({ level: INFO, time: Date.now(), msg: line.trim() }) : line;
    output.write(`${text}\n`);
  };
}
