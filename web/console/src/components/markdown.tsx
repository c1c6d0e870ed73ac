import { useLayoutEffect, useRef } from 'react';
import { MarkdownWriter } from '../../../shared/markdown.js';
import { useTexts } from '../texts/texts.js';
import classes from './markdown.module.css';

interface Props {
  readonly text: string;
  /** Whether more of it is to come. */
  readonly isGrowing?: boolean;
}

/** A text with Markdown, as the widget shows it to the customer. While it grows, only what is new is added. */
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
