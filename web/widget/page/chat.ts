// The page /chat/{uuid}: the chat with one assistant, as wide as the window.
import './chat.css';
import icon from './icon.svg';
import type { ProsaChat } from '../loader/prosa-chat';

const chat = document.querySelector('prosa-chat') as ProsaChat;
const asked = new URLSearchParams(location.search);
const locale = asked.get('locale') ?? navigator.language;

document.documentElement.lang = locale.toLowerCase().startsWith('pt') ? 'pt-BR' : 'en';
chat.dataset.locale = locale;
chat.dataset.assistant = location.pathname.split('/').filter(Boolean).at(-1) ?? '';
chat.addEventListener('prosa-ready', (event) => {
  const { title } = (event as CustomEvent<{ title: string }>).detail;
  document.title = title;
  // The chat shows the title; this heading is for screen readers.
  document.querySelector('h1')?.replaceChildren(title);
});

const link = document.createElement('link');
link.rel = 'icon';
link.href = icon;
document.head.append(link);
