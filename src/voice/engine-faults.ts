/**
 * Keeps a process with many calls alive when the engine does not await a promise that fails. That happens whenever a
 * voice breaks off (`tts.ChunkedStream` of @livekit/agents 1.9.0). Node would end the process, and with it every
 * call.
 *
 * @param onFault for the log; the call itself hears of its failure by the session's events
 * @returns undoes it
 */
export function outliveEngineFaults(onFault: (error: unknown) => void): () => void {
  process.on('unhandledRejection', onFault);
  return () => process.off('unhandledRejection', onFault);
}
