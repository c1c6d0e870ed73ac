import type { ComponentChildren } from 'preact';
import { Icon } from '../icons';
import { fill, type Problem, problemText, type Texts } from '../texts/texts';

/** A question or a refusal between header and messages. */
export function Notice({ text, children }: { text: string; children: ComponentChildren }) {
  return (
    <div class="notice" role="group" aria-label={text}>
      <p>{text}</p>
      <div class="actions">{children}</div>
    </div>
  );
}

interface RefusalProps {
  readonly texts: Texts;
  readonly problem: Problem;
  readonly locale: string;
  onRetry(): void;
}

/** Instead of the messages, where there is no chat to be had. */
export function Refusal({ texts, problem, locale, onRetry }: RefusalProps) {
  return (
    <div class="refusal" role="alert">
      <Icon name="alert" />
      <p>{problemText(texts, problem, locale)}</p>
      {problem.key === 'originRefused' && (
        <p class="hint">{fill(texts.originHint, { origin: location.origin })}</p>
      )}
      {problem.key !== 'missing' && (
        <button type="button" class="main" onClick={onRetry}>
          {texts.retry}
        </button>
      )}
    </div>
  );
}
