import type { TalkTurn } from './talk.js';

/** A simulation of twenty runs is read in one answer. */
const MAX_TRANSCRIPT_LENGTH = 256 * 1024;
const MAX_CUT_TEXT_LENGTH = 1_000;

/** A transcript as it is kept: whole up to 256 Ki characters of JSON; what follows has no function calls, and 1,000 characters a turn. */
export function keptTranscript(said: readonly TalkTurn[]): TalkTurn[] {
  let room = MAX_TRANSCRIPT_LENGTH;
  return said.map((turn) => {
    room -= JSON.stringify(turn).length;
    return room >= 0 ? turn : cut(turn);
  });
}

function cut({ role, text }: TalkTurn): TalkTurn {
  const isLong = text.length > MAX_CUT_TEXT_LENGTH;
  return {
    role,
    text: isLong ? `${text.slice(0, MAX_CUT_TEXT_LENGTH).toWellFormed()}…` : text,
    function_calls: [],
  };
}
