import { createTimedString } from '@livekit/agents';

/** Ends the words of an answer whose sound was cut off on its way from the model: it does not cover them. */
export const CUT_OFF = createTimedString({ text: '', startTime: Infinity });
