import { useLayoutEffect, useRef } from 'react';
import { MarkdownWriter } from '../../../shared/markdown.js';
import { useTexts } from '../texts/texts.js';
import classes from './markdown.module.css';

interface Props {
  readonly text: string;
  /** Whether the text is still growing. */
  readonly isGrowing?: boolean;
}

/** Markdown, rendered as in the widget. A growing text renders only its new part. */
export function Markdown({ text, isGrowing = false }: Props) {
  const { image } = useTexts('common');
  const element = useRef<HTMLDivElement>(null);
  const writer = useRef<MarkdownWriter | null>(null);
  useLayoutEffect(() => {
    const into = element.current;
    if (!into) return;
    if (!writer.current?.write(text)) {
      into.replaceChildren();
      writer.current = new MarkdownWriter(into, image);
      writer.current.write(text);
    }
    if (!isGrowing) writer.current.finish();
  }, [text, isGrowing, image]);
  return <div className={classes.text} ref={element} />;
}
