import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { Icon } from '../icons';
import { fill, type Problem, problemText, type Texts } from '../texts/texts';

/** A question above the messages. It takes the focus for screen readers and keyboards. */
export function Question({ text, children }: { text: string; children: ComponentChildren }) {
  const group = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => group.current?.querySelector('button')?.focus(), []);
  return (
    <div class="notice" role="group" aria-label={text} ref={group}>
      <div>
        <p>{text}</p>
        <div class="actions">{children}</div>
      </div>
    </div>
  );
}

interface RefusalProps {
  readonly texts: Texts;
  readonly problem: Problem;
  readonly locale: string;
  readonly onRetry: () => void;
}

/** Shown instead of the messages if the chat is unavailable. */
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
