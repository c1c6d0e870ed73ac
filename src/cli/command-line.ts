/** What is wrong with an option, as `parseArgs` says it, without its sentences on words that begin with a dash. */
export function mistakeOf(error: TypeError): string {
  return error.message.split('. ')[0] ?? error.message;
}

/**
 * What a command was given. A mistake in it ends the process with code 1, a sentence and the usage.
 *
 * @param read calls `parseArgs`, whose errors are `TypeError`s
 */
export function orUsage<Given>(usage: string, read: () => Given): Given {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    console.error(`${mistakeOf(error)}\n\n${usage}`);
    process.exit(1);
  }
}

/** Runs a command. An error ends it with code 1, and its message is for the operator. */
export async function runCommand(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  }
}
