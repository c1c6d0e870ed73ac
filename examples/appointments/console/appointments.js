// The session of the console goes along by itself: same origin, same cookie.
const query = new URLSearchParams(location.search);
const language = query.get('lang') === 'en' ? 'en' : 'pt';
const TEXTS = {
  pt: {
    columns: ['Cliente', 'Início', 'Situação'],
    none: 'Nenhum agendamento ainda.',
    failed: 'Não foi possível ler.',
  },
  en: {
    columns: ['Customer', 'Begins', 'Status'],
    none: 'No appointments yet.',
    failed: 'They cannot be read.',
  },
};
const texts = TEXTS[language];
const state = document.getElementById('state');

document.documentElement.dataset.scheme = query.get('scheme') ?? 'light';
document.documentElement.lang = language === 'en' ? 'en' : 'pt-BR';
document.getElementById('head').append(...texts.columns.map((name) => cell('th', name)));

const response = await fetch('/api/user/appointments');
if (response.ok) {
  const { data } = await response.json();
  if (data.length === 0) state.textContent = texts.none;
  for (const { customer_name: customer, starts_at: startsAt, status } of data) {
    const row = document.createElement('tr');
    const start = new Date(startsAt).toLocaleString(document.documentElement.lang);
    row.append(...[customer, start, status].map((value) => cell('td', value)));
    document.getElementById('rows').append(row);
  }
} else {
  state.textContent = texts.failed;
}

/** Text, never markup: what customers are called is theirs to choose. */
function cell(name, text) {
  const element = document.createElement(name);
  element.textContent = text;
  return element;
}
