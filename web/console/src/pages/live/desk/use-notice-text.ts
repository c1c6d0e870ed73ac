import { ApiError } from '../../../api/api-error.js';
import { NOTICES, soundTexts, type WebCallNotice } from '#web/console/src/live/call-sound.js';
import { useLanguage, useTexts } from '../../../texts/texts.js';
import { useErrorText } from '../../../texts/use-error-text.js';
import type { CommandResult, ConnectionEnd } from './session/desk-connection.js';
import type { DeskNotice } from './session/desk-session.js';
import type { CommandName } from './session/protocol.js';

type Reason = Exclude<CommandResult, 'done'>;

/** What has happened, in words. */
export function useNoticeTexts() {
  const { desk: t } = useTexts('live');
  const { language } = useLanguage();
  const errorText = useErrorText();
  const words = { ...soundTexts[language], ...t.microphone };
  const soundText = (notice: WebCallNotice) => words[NOTICES[notice].text];
  const reasonText = (command: CommandName, reason: Reason) => {
    const own: Partial<Record<Reason, string>> = t.reasonsOf[command];
    return own[reason] ?? t.reasons[reason];
  };
  return {
    soundText,
    resumeSound: words.callResumeSound,
    microphone: words.callMicrophone,
    systemMicrophone: words.callSystemMicrophone,
    reasonText,
    noticeText: (notice: DeskNotice): string => {
      if (notice.kind === 'microphone') return soundText(notice.problem);
      if (notice.kind !== 'failed') return t.notices[notice.kind];
      const { command, result } = notice;
      return result === 'done' ? '' : `${t.failedCommands[command]} ${reasonText(command, result)}`;
    },
    endText: (end: ConnectionEnd): string => {
      if (!('code' in end)) return end.error instanceof ApiError ? errorText(end.error) : t.connectionLost;
      const codes: Readonly<Record<number, string>> = t.closeCodes;
      return codes[end.code] ?? t.connectionLost;
    },
  };
}
